// Starting a wasm module: bytes or a compiled module in, running glue out. Must not live here: where the bytes come
// from (`load/`, `slim.js`), or anything that the module does once it runs.

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
 * The life of one wasm module. `glue` is its generated JavaScript, `importName` the name under which the module
 * imports that glue. `start` and `adopt` do nothing when it already runs.
 *
 * With `forget`, for a module that keeps nothing from call to call: one that stopped in the midst of a call, and may have left
 * anything in its memory, is replaced by a new one before the next call, as soon as no call is under way; `forget` is told so.
 * Never after `hold`: promises may be bound to it, and the glue would take them for the new one's.
 */
export function host(glue, importName, forget) {
  let running // the exports
  let renew
  let stopped = false
  let held = false
  let busy = 0

  const isRunning = () => running !== undefined
  const run = (exports) => {
    glue.__wbg_set_wasm(exports)
    exports.__wbindgen_start()
    running = exports
  }
  const adopt = (exports) => { if (!running) run(exports) }
  const start = (source) => {
    if (running) return
    let exports
    try {
      const module = isModule(source) ? source : new WebAssembly.Module(source)
      const instantiate = () => new WebAssembly.Instance(module, { [importName]: glue }).exports
      exports = instantiate()
      if (forget) renew = instantiate
    } catch (cause) {
      throw explain(cause)
    }
    run(exports)
  }
  const replace = () => {
    const exports = renew()
    // The glue drops its views of a memory when that has grown, be it by nothing.
    running.memory.grow(0)
    forget()
    run(exports)
    stopped = false
  }
  const ready = () => {
    if (!running) throw toError({ code: 'not_initialized', message: 'call `init` of tailnet-kit/slim and await it first' })
    if (stopped && busy === 0 && renew && !held) replace()
  }
  /** The function with its plain thrown objects turned into error classes. */
  const call = (fn) => (...args) => {
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

  return { adopt, call, hold, isRunning, ready, start }
}
