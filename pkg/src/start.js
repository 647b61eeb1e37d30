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

/**
 * The life of one wasm module. `glue` is its generated JavaScript, `importName` the name under which the module
 * imports that glue. `start` and `adopt` do nothing when it already runs.
 */
export function host(glue, importName) {
  let running = false

  const isRunning = () => running
  const adopt = (exports) => {
    if (running) return
    glue.__wbg_set_wasm(exports)
    exports.__wbindgen_start()
    running = true
  }
  const start = (source) => {
    if (running) return
    let instance
    try {
      const module = isModule(source) ? source : new WebAssembly.Module(source)
      instance = new WebAssembly.Instance(module, { [importName]: glue })
    } catch (cause) {
      throw explain(cause)
    }
    adopt(instance.exports)
  }
  const ready = () => {
    if (!running) throw toError({ code: 'not_initialized', message: 'call `init` of tailnet-kit/slim and await it first' })
  }
  /** The function with its plain thrown objects turned into error classes. */
  const call = (fn) => (...args) => {
    ready()
    try {
      return fn(...args)
    } catch (thrown) {
      throw toError(thrown)
    }
  }

  return { adopt, call, isRunning, ready, start }
}
