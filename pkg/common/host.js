// The life of one wasm file: started by the first call that needs it, and replaced after a call that broke off. Must not live
// here: where a file comes from (`scripts/loaders.mjs`), or anything that it does once it runs.

import { toError } from './errors.js'

const REFUSED_BY_CSP = /content.security.policy|wasm-unsafe-eval|\bCSP\b/i
const REFUSED_BY_HOST = /disallowed by embedder/i

/** A start that did not succeed, with the reason in words and the engine's own error as its cause. */
export const startFailed = (message, cause) =>
  toError({ code: 'not_initialized', message: `the wasm did not start: ${message}`, ...(cause === undefined ? {} : { cause }) })

/** The same for whatever `WebAssembly` threw, saying what to do where the page or the host forbids compiling. */
export function explain(cause) {
  const said = String(cause?.message ?? cause)
  if (REFUSED_BY_CSP.test(said)) {
    return startFailed("the Content Security Policy forbids compiling it; allow 'wasm-unsafe-eval' in script-src", cause)
  }
  if (REFUSED_BY_HOST.test(said)) {
    return startFailed('this host compiles no bytes at run time; import the .wasm file as a module', cause)
  }
  return startFailed(said, cause)
}

/** Whether this is a compiled module, from whichever realm. */
export const isModule = (value) => Object.prototype.toString.call(value) === '[object WebAssembly.Module]'

/** What engines throw where a call ends in the midst of the wasm: its memory or the stack ran out. */
const STOPPED = /^(RuntimeError|RangeError|InternalError)$/
const TOO_MUCH = 'the wasm gave up: this takes more memory than it can have'

/**
 * One wasm file that is to run. `glue` is its generated JavaScript, `importName` the name under which the file imports that
 * glue. `source` gives its bytes, the compiled module, or the exports of an instance that the runtime made; without it the file
 * waits for `start`. `keeps` says that it keeps something from call to call.
 *
 * A file that keeps nothing and stopped in the midst of a call, so that it may have left anything in its memory, is replaced by a
 * new one before the next call, as soon as no call is under way. Never after `hold`: promises may be bound to it, and the glue
 * would take them for the new one's.
 */
export function host(glue, importName, source, keeps = false) {
  let running // the exports
  let renew
  let stopped = false
  let held = false
  let busy = 0
  const renewals = []

  const isRunning = () => running !== undefined
  const run = (exports) => {
    glue.__wbg_set_wasm(exports)
    exports.__wbindgen_start()
    running = exports
  }
  /** Does nothing when it already runs. */
  const start = (given) => {
    if (running) return
    if (given.__wbindgen_start) return run(given)
    let exports
    try {
      const module = isModule(given) ? given : new WebAssembly.Module(given)
      const instantiate = () => new WebAssembly.Instance(module, { [importName]: glue }).exports
      exports = instantiate()
      if (!keeps) renew = instantiate
    } catch (cause) {
      throw explain(cause)
    }
    run(exports)
  }
  const replace = () => {
    const exports = renew()
    // The glue drops its views of a memory when that has grown, be it by nothing.
    running.memory.grow(0)
    for (const forget of renewals) forget()
    run(exports)
    stopped = false
  }
  /** Runs it if it does not. */
  const ready = () => {
    if (!running) start(source())
    if (stopped && busy === 0 && renew && !held) replace()
  }
  /** The function with its plain thrown objects turned into error classes. */
  const call =
    (fn) =>
    (...args) => {
      ready()
      busy++
      try {
        return fn(...args)
      } catch (thrown) {
        if (STOPPED.test(thrown?.name)) stopped = true
        throw toError(thrown?.name === 'RuntimeError' ? { code: 'invalid_argument', message: TOO_MUCH, cause: thrown } : thrown)
      } finally {
        busy--
      }
    }
  /** Before a call that begins what goes on after it. */
  const hold = () => {
    ready()
    held = true
  }
  /** Has this called whenever it is replaced. */
  const onRenewal = (forget) => renewals.push(forget)
  /** Whether a call can run it. */
  const canRun = () => isRunning() || source !== undefined

  return { call, canRun, hold, isRunning, onRenewal, ready, start }
}
