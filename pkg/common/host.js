// The life of one wasm file: the first call that needs it starts it, and after a call that broke off it is replaced. Must not
// live here: where a file comes from (`scripts/loaders.mjs`), or anything that it does once it runs.

import { toError } from './errors.js'

const REFUSED_BY_CSP = /content.security.policy|wasm-unsafe-eval|\bCSP\b/i
const REFUSED_BY_HOST = /disallowed by embedder/i

/** The error of a failed start, with the engine's error as its cause. */
export const startFailed = (message, cause) =>
  toError({ code: 'not_initialized', message: `the wasm did not start: ${message}`, ...(cause === undefined ? {} : { cause }) })

/** The same for what `WebAssembly` threw; it says what to do where the page or the host forbids compiling. */
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

/** Whether this is a compiled module, of any realm. */
export const isModule = (value) => Object.prototype.toString.call(value) === '[object WebAssembly.Module]'

/** The errors of engines where a call breaks off inside the wasm, because the memory or the stack ran out. */
const STOPPED = /^(RuntimeError|RangeError|InternalError)$/
const TOO_MUCH = 'the wasm gave up: this takes more memory than it can have'

/** What a file throws that lacks a dialect (`crates/wasm/src/spoken.rs`). */
const ABSENT = 'dialect_absent'
const NOT_LOADED = "the dialect `headscale` is not loaded: `import 'tailnet-kit/headscale'` brings it, with `tailnet-kit/slim` `init({ dialect })`"

/**
 * One wasm file. `glue` is its generated JavaScript, `importName` the name under which the file imports that glue. `source`
 * returns its bytes, the compiled module, or the exports of an instance that the runtime made; without it the file waits for
 * `start`. `keeps` says that the file has state between calls. `brings` gives the file that adds a dialect to it, as bytes or as a compiled
 * module, where there is one.
 *
 * A call that breaks off may leave anything in the memory. So a file without state is then replaced by a new instance, before
 * the next call and while no call is under way. Never after `hold`: promises may belong to the old instance, and the glue would
 * take them for those of the new one.
 */
export function host(glue, importName, source, keeps = false, brings) {
  let running // the exports
  let renew
  let join
  let stopped = false
  let held = false
  let busy = 0
  const renewals = []

  const isRunning = () => running !== undefined
  const run = (exports) => {
    glue.__wbg_set_wasm(exports)
    exports.__wbindgen_start()
    running = exports
    join?.()
  }
  /** Starts the file, unless it already runs. */
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
    // The glue drops its views of a memory that was grown, even by nothing.
    running.memory.grow(0)
    for (const forget of renewals) forget()
    run(exports)
    stopped = false
  }
  /** Makes sure that the file runs. */
  const ready = () => {
    if (!running) start(source())
    if (stopped && busy === 0 && renew && !held) replace()
  }
  /** Adds the dialect that a call lacked, which stays with the file from then on; whether it could be had. */
  const add = () => {
    const given = brings?.()
    if (!given) return false
    try {
      const module = isModule(given) ? given : new WebAssembly.Module(given)
      join = () => new WebAssembly.Instance(module, { host: running, glue })
      join()
    } catch (cause) {
      throw explain(cause)
    }
    return true
  }
  const once = (fn, args) => {
    busy++
    try {
      return fn(...args)
    } catch (thrown) {
      if (thrown === ABSENT) throw thrown
      if (STOPPED.test(thrown?.name)) stopped = true
      throw toError(thrown?.name === 'RuntimeError' ? { code: 'invalid_argument', message: TOO_MUCH, cause: thrown } : thrown)
    } finally {
      busy--
    }
  }
  /** The function, with the plain objects that it throws turned into errors. */
  const call =
    (fn) =>
    (...args) => {
      ready()
      try {
        return once(fn, args)
      } catch (thrown) {
        if (thrown !== ABSENT) throw thrown
        if (!add()) throw toError({ code: 'invalid_argument', message: NOT_LOADED })
        return once(fn, args)
      }
    }
  /** To be called before a call that starts work which goes on after it. */
  const hold = () => {
    ready()
    held = true
  }
  /** Sets a function that is called whenever the instance is replaced. */
  const onRenewal = (forget) => renewals.push(forget)
  /** Whether a call can start the file. */
  const canRun = () => isRunning() || source !== undefined

  return { call, canRun, hold, isRunning, onRenewal, ready, start }
}
