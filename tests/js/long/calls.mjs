// The program of the row `calls`: calls one entry of the package again and again in one instance. Prints a line of figures after
// each tenth; fails where the memory grew. Must not live here: what a call answers.

import { setTimeout as wait } from 'node:timers/promises'

const [entry, count] = process.argv.slice(2)
const instances = []
const { Instance } = WebAssembly
WebAssembly.Instance = class extends Instance {
  constructor(...parts) {
    super(...parts)
    instances.push(this)
  }
}

const POLICY = `{
  // Who may reach what.
  "groups": {"group:dev": ["ann@example.com"]},
  "tagOwners": {"tag:web": ["group:dev"]},
  "acls": [{"action": "accept", "src": ["group:dev"], "dst": ["tag:web:80,443"]}],
  "tests": [{"src": "ann@example.com", "accept": ["tag:web:80"]}],
}`
const CONTEXT = {
  devices: [
    { id: '1', user: 'ann@example.com', addresses: ['100.64.0.1'] },
    { id: '2', tags: ['tag:web'], addresses: ['100.64.0.2'] },
  ],
}
const DEVICES = { devices: [{ id: '1', name: 'a.example', addresses: ['100.64.0.1'] }] }
const answer = async () => Response.json(DEVICES)
const failing = async () => Response.json({ message: 'no' }, { status: 403 })
const refused = (call) => {
  try {
    call()
  } catch {
    return
  }
  throw new Error(`${call} was not refused`)
}

/** The calls of each entry, made in turn with the number of the call; some of them fail. */
const CALLS = {
  cidr: async () => {
    const { cidr, dns, routes } = await import('tailnet-kit/cidr')
    return [
      (at) => cidr.check(`10.${at & 255}.0.0/16`),
      (at) => cidr.check(`10.0.0.${at & 255}/16`),
      (at) => cidr.merge([`10.${at & 255}.0.0/16`, '10.0.0.0/9']),
      () => dns.checkNameserver('1.1.1.1'),
      () => routes.summarize({ advertisedRoutes: ['10.0.0.0/8'], enabledRoutes: [] }),
    ]
  },
  hujson: async () => {
    const { hujson } = await import('tailnet-kit/hujson')
    return [
      () => hujson.parse(POLICY),
      () => hujson.format(POLICY),
      (at) => hujson.patch(POLICY, [{ op: 'add', path: '/groups/group:x', value: [`${at}@example.com`] }]),
      () => refused(() => hujson.parse('{"a" 1}')),
      () => hujson.fromJSON5("{a: 'b'}"),
    ]
  },
  policy: async () => {
    const { policy } = await import('tailnet-kit/policy')
    return [
      () => policy.check(POLICY, CONTEXT),
      () => policy.preview(POLICY, 'ann@example.com', CONTEXT),
      (at) => policy.explain(POLICY, { from: 'ann@example.com', to: `100.64.0.2:${at & 1023}` }, CONTEXT),
      () => policy.open(POLICY, CONTEXT).filters(),
      () => refused(() => policy.preview('{', 'ann@example.com')),
    ]
  },
  client: async () => {
    const { TailnetClient } = await import('tailnet-kit/client')
    const options = { baseURL: 'https://api.example.com', apiKey: 'tskey-api-x', tailnet: 'example.com', maxRetries: 0 }
    const good = new TailnetClient({ ...options, fetch: answer })
    const bad = new TailnetClient({ ...options, fetch: failing })
    return [() => good.devices.list(), (at) => good.devices.delete(`${at}`), () => bad.devices.list().catch(({ status }) => status)]
  },
  gateway: async () => {
    const { createGateway } = await import('tailnet-kit/gateway')
    const gateway = createGateway({ baseURL: 'https://api.example.com', apiKey: 'tskey-api-x', tailnet: 'example.com', authorize: () => true, fetch: answer })
    const ask = (path, method) => gateway(new Request(`https://edge.example/api/v2/tailnet/${path}`, { method })).then((response) => response.text())
    return [() => ask('example.com/devices'), () => ask('other.example/devices'), () => ask('example.com/devices', 'DELETE')]
  },
  language: async () => {
    const { language } = await import('tailnet-kit/language')
    return [
      (at) => language.complete(POLICY, at % POLICY.length, CONTEXT),
      (at) => language.hover(POLICY, at % POLICY.length, CONTEXT),
      (at) => language.diagnostics(POLICY.slice(0, at % POLICY.length), CONTEXT),
      () => language.tokens(POLICY),
    ]
  },
  // Only requests that change nothing: with each change the state and the log of the sandbox grow.
  sandbox: async () => {
    const { Sandbox } = await import('tailnet-kit/sandbox')
    const sandbox = new Sandbox()
    const headers = { authorization: 'Bearer tskey-sandbox' }
    const ask = (path, options) => sandbox.fetch(`${sandbox.baseURL}/api/v2/tailnet/-/${path}`, { headers, ...options }).then((response) => response.text())
    return [
      () => ask('devices'),
      () => ask('acl'),
      () => ask('acl', { method: 'POST', body: '{' }),
      () => ask('acl/preview?type=user&previewFor=ann@example.com', { method: 'POST', body: POLICY }),
      () => ask('devices', { headers: {} }),
    ]
  },
}

/** The size in MiB of the wasm's memory, and of the engine's heap after garbage collection. */
async function memory() {
  // Objects that JavaScript has dropped free their part of the wasm's memory in a later turn.
  for (let turn = 0; turn < 3; turn++) {
    globalThis.gc()
    await wait(1)
  }
  const bytes = instances.reduce((sum, { exports }) => sum + (exports.memory?.buffer.byteLength ?? 0), 0)
  return { wasm: bytes / 2 ** 20, heap: process.memoryUsage().heapUsed / 2 ** 20 }
}

const calls = await CALLS[entry]()
const began = performance.now()
const marks = []
const tenth = Math.ceil(Number(count) / 10)
for (let at = 1; at <= tenth * 10; at++) {
  const said = calls[at % calls.length](at)
  if (said instanceof Promise) await said
  // Finalizers run between turns of the event loop, and plain calls end none.
  if (at % 10_000 === 0) await wait(0)
  if (at % tenth > 0) continue
  marks.push(await memory())
  const { wasm, heap } = marks.at(-1)
  const seconds = (performance.now() - began) / 1000
  console.log(`${entry}: ${at} calls, wasm ${wasm.toFixed(1)} MiB, heap ${heap.toFixed(1)} MiB, ${seconds.toFixed(0)} s`)
}
const [first, last] = [marks[0], marks.at(-1)]
if (instances.length === 0) throw new Error('no wasm file was started')
if (last.wasm > first.wasm || last.heap > first.heap + 8) throw new Error(`${entry}: the memory grew`)
