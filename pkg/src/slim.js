// The entry `tailnet-kit/slim`: the whole kit, started by its user. Must not live here: a default place to find the
// wasm (bundlers would drag the file in), top-level await.

import { toError } from './errors.js'
import { isRunning, start } from './instance.js'
import { explain, isModule, startFailed } from './start.js'

export * from './index.js'

let starting = null

/** Idempotent; parallel calls share the first one's start; a failed start can be repeated. */
export function init(input) {
  // A request that turns out not to be needed must not fail the process.
  if (isRunning() || starting) Promise.resolve(input).catch(() => {})
  if (isRunning()) return Promise.resolve()
  starting ??= compile(input).then(start).finally(() => { starting = null })
  return starting
}

/** The same from bytes or a compiled module, at once. */
export function initSync(input) {
  if (isRunning()) return
  if (!isModule(input) && !isBytes(input)) throw wrongInput('initSync takes bytes or a WebAssembly.Module')
  start(input)
}

async function compile(input) {
  const source = await received(input)
  if (isModule(source)) return source
  if (isBytes(source)) return WebAssembly.compile(source).catch((cause) => { throw explain(cause) })
  if (typeof source?.arrayBuffer === 'function') return compileResponse(source)
  throw wrongInput('init takes a URL, a Response, bytes or a WebAssembly.Module')
}

async function received(input) {
  try {
    const source = await input
    return typeof source === 'string' || typeof source?.href === 'string' ? await read(String(source)) : source
  } catch (cause) {
    throw startFailed(`the file could not be read: ${cause?.message ?? cause}`, cause)
  }
}

/** Node's fetch knows no file: URL, so its own file system answers there. */
function read(url) {
  const files = url.startsWith('file:') && globalThis.process?.getBuiltinModule?.('node:fs/promises')
  return files ? files.readFile(new URL(url)) : fetch(url)
}

async function compileResponse(response) {
  const type = response.headers?.get('content-type') ?? 'no content type'
  if (response.ok === false) throw startFailed(`the response for the file has status ${response.status}`)
  try {
    const streams = WebAssembly.compileStreaming && type.startsWith('application/wasm') && response instanceof Response
    return await (streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer()))
  } catch (cause) {
    throw type.startsWith('text/html') ? startFailed('the response for the file is an HTML page', cause) : explain(cause)
  }
}

const isBytes = (value) => ArrayBuffer.isView(value) || /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value))

const wrongInput = (message) => toError({ code: 'invalid_argument', message })
