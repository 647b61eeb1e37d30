// The entry `tailnet-kit/slim`: the whole kit, started by its user. Must not live here: a default place of the wasm (bundlers
// would include the file), top-level await.

import { toError } from '../../../common/errors.js'
import { explain, isModule, startFailed } from '../../../common/host.js'
import { instance as client } from '../client.wasm.js'
import { instance as dialect } from '../dialect.wasm.js'
import { instance as json5 } from '../json5.wasm.js'
import { instance as policy } from '../policy.wasm.js'
import { instance as whole } from '../tailnet_kit.wasm.js'
import { instance as text } from '../text.wasm.js'

export * from './index.js'

const PARTS = { text, json5, client, policy, dialect }

/** The start under way of each file, which parallel calls share. */
const starting = new Map()

/** Starts the kit, or parts of it. A second call does nothing; parallel calls share one start; a failed start can be repeated. */
export async function init(input) {
  await Promise.all(files(input).map(([file, source]) => begun(file, source)))
}

function begun(file, source) {
  // The rejection of a request that is not needed must not end the process.
  if (file.isRunning() || starting.has(file)) Promise.resolve(source).catch(() => {})
  if (file.isRunning()) return undefined
  if (!starting.has(file))
    starting.set(
      file,
      compile(source)
        .then(file.start)
        .finally(() => starting.delete(file)),
    )
  return starting.get(file)
}

/** The same from bytes or a compiled module, at once. */
export function initSync(input) {
  const given = files(input)
  const wrong = given.find(([file, source]) => !file.isRunning() && !isModule(source) && !isBytes(source))
  if (wrong) throw wrongInput('initSync takes bytes or a WebAssembly.Module, or an object of them')
  for (const [file, source] of given) file.start(source)
}

/** The files to start, each with its source: that of the whole kit, or parts by name. */
function files(input) {
  if (Object.prototype.toString.call(input) !== '[object Object]' || typeof input.arrayBuffer === 'function' || typeof input.then === 'function')
    return [[whole, input]]
  const unknown = Object.keys(input).find((name) => !Object.hasOwn(PARTS, name))
  const names = Object.keys(PARTS).join(', ')
  if (unknown !== undefined) throw wrongInput(`there is no file \`${unknown}\`; there are ${names}`)
  if (Object.keys(input).length === 0) throw wrongInput(`no file was given; there are ${names}`)
  return Object.entries(input).map(([name, source]) => [PARTS[name], source])
}

async function compile(input) {
  const source = await received(input)
  if (isModule(source)) return source
  if (isBytes(source))
    return WebAssembly.compile(source).catch((cause) => {
      throw explain(cause)
    })
  if (typeof source?.arrayBuffer === 'function') return compileResponse(source)
  throw wrongInput('init takes a URL, a Response, bytes or a WebAssembly.Module, or an object of them by file')
}

async function received(input) {
  try {
    const source = await input
    return typeof source === 'string' || typeof source?.href === 'string' ? await read(String(source)) : source
  } catch (cause) {
    throw startFailed(`the file could not be read: ${cause?.message ?? cause}`, cause)
  }
}

/** Reads a file. Node's fetch knows no file: URL, so its file system is used there. */
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
