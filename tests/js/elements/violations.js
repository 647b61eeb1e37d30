// Notes what a page did against its Content-Security-Policy, errors that nobody caught, and which workers it began. Must not live here: cases.

globalThis.violations = []
globalThis.faults = []
globalThis.workers = []
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
  globalThis.violations.push(`${violatedDirective} ${blockedURI} ${sourceFile}`),
)
addEventListener('error', ({ message }) => globalThis.faults.push(message))
addEventListener('unhandledrejection', ({ reason }) => globalThis.faults.push(String(reason?.message ?? reason)))
globalThis.Worker = class extends Worker {
  constructor(url, options) {
    super(url, options)
    globalThis.workers.push(String(url))
  }
}
/** How many wasm files this page itself began, as it does without a worker. */
globalThis.begun = 0
for (const name of ['instantiate', 'compile', 'Module', 'Instance']) {
  const made = WebAssembly[name]
  WebAssembly[name] = new Proxy(made, {
    apply: (target, self, args) => (globalThis.begun++, Reflect.apply(target, self, args)),
    construct: (target, args) => (globalThis.begun++, Reflect.construct(target, args)),
  })
}
