// The web's Request as the parts that a service takes, and its answer as a Response. Must not live here: the services, who may call.

import { READ_HEADERS } from './service.js'

/** The request that the arguments of `fetch` describe; a path is one of the sandbox. */
export function requestOf(input, init, baseURL) {
  const request = new Request(typeof input === 'string' ? new URL(input, baseURL) : input, init)
  request.signal?.throwIfAborted()
  return request
}

export async function partsOf(request) {
  const body = new Uint8Array(await request.arrayBuffer())
  request.signal?.throwIfAborted()
  const { method, url, headers } = request
  return { method, target: url, headers: READ_HEADERS.filter((name) => headers.has(name)).map((name) => [name, headers.get(name)]), body }
}

export const responseTo = ({ method }, { status, headers, body }, more = []) =>
  new Response(method === 'HEAD' ? null : body || null, { status, headers: [...headers, ...more] })
