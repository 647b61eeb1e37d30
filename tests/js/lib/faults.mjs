// A scripted HTTP server that misbehaves on demand, in front of the service. The base URL of a script is
// `${baseURL}/faults/SCRIPT/ID`; `${baseURL}/faults-log/ID` returns the requests with that ID. All else goes to the service
// behind it. Must not live here: how a client should react.

import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { setTimeout as wait } from 'node:timers/promises'
import { canned, POLICY } from './canned.mjs'

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type, accept, if-match, x-extra',
  'access-control-allow-methods': 'GET, POST, DELETE, PUT, PATCH',
  'access-control-expose-headers': 'etag, retry-after, x-request-id',
  'access-control-max-age': '600',
}

/** Starts it in front of `service`, a base URL or null. */
export async function startFaults(service) {
  const logs = new Map()
  const answer = (port) => (request, response) => {
    const handled = request.url.startsWith('/faults') ? scripted(request, response, logs, port) : forward(request, response, service)
    handled.catch(() => response.destroy())
  }
  const [other, main] = [createServer(), createServer()]
  for (const server of [other, main]) await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const otherPort = other.address().port
  other.on('request', answer(otherPort))
  main.on('request', answer(otherPort))
  const stop = () => [main, other].forEach((server) => server.close() && server.closeAllConnections())
  return { baseURL: `http://127.0.0.1:${main.address().port}`, stop }
}

async function forward(request, response, service) {
  if (!service) return response.writeHead(502).end()
  const body = await readAll(request)
  const { host, connection, 'content-length': length, ...headers } = request.headers
  const answer = await fetch(service + request.url, { method: request.method, headers, body: body || undefined })
  const hop = /^(content-encoding|content-length|transfer-encoding|connection|keep-alive)$/
  response.writeHead(answer.status, Object.fromEntries([...answer.headers].filter(([name]) => !hop.test(name))))
  response.end(Buffer.from(await answer.arrayBuffer()))
}

async function readAll(request) {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  return body
}

async function scripted(request, response, logs, otherPort) {
  for (const [name, value] of Object.entries(CORS)) response.setHeader(name, value)
  if (request.method === 'OPTIONS') return response.writeHead(204).end()
  const [, kind, ...rest] = request.url.split('/')
  if (kind === 'faults-log') return json(response, 200, logs.get(rest[0]) ?? [])
  const [script, id, ...path] = rest
  const seen = { method: request.method, path: `/${path.join('/')}`, headers: request.headers, body: await readAll(request) }
  const log = logs.get(id) ?? []
  logs.set(id, [...log, seen])
  const turn = log.length + 1
  await SCRIPTS[script]({ seen, turn, response, base: `/faults/${script}/${id}`, id, otherPort })
}

const json = (response, status, value, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))

const refuse =
  (status, headers, message = `refused with ${status}`) =>
  ({ response }) =>
    json(response, status, { message }, headers)

const good = ({ seen, response }) => {
  const { body, headers, status = 200 } = canned(seen)
  response.writeHead(status, headers).end(body)
}

/** `fault` for the first `times` requests, then good answers. */
const first = (times, fault) => (asked) => (asked.turn <= times ? fault(asked) : good(asked))

const raw =
  (text, headers = { 'content-type': 'application/json' }, status = 200) =>
  ({ response }) =>
    response.writeHead(status, headers).end(text)

const cutBeforeHeaders = ({ response }) => response.socket.destroy()

async function cutInBody({ response }) {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"devices": [{"id": "1')
  await wait(30)
  response.socket.destroy()
}

async function cutAfterHeaders({ response }) {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).flushHeaders()
  await wait(30)
  response.socket.destroy()
}

async function cutRefusal({ response }) {
  response.writeHead(403, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"message": "no')
  await wait(30)
  response.socket.destroy()
}

/** Sends `step` bytes at a time: three split every character of four bytes. */
async function trickle(response, headers, bytes, step, pause) {
  response.writeHead(200, headers)
  for (let at = 0; at < bytes.length && !response.destroyed; at += step) {
    response.write(bytes.subarray(at, at + step))
    await wait(pause)
  }
  response.end()
}

const drip =
  (pause) =>
  ({ seen, response }) => {
    const { body, headers } = canned(seen)
    return trickle(response, headers, Buffer.from(body), 3, pause)
  }

/** A byte order mark, a character cut short, and a byte that is never UTF-8. */
const NOT_UTF8 = Buffer.concat([
  Buffer.from('\ufeff{"devices": [{"id": "1", "hostname": "a'),
  Buffer.from([0xf0, 0x9f, 0x98]),
  Buffer.from('b'),
  Buffer.from([0xff]),
  Buffer.from('ü'),
  Buffer.from([0xe4]),
  Buffer.from('"}]}'),
])
const notUTF8 = ({ response }) => trickle(response, { 'content-type': 'application/json' }, NOT_UTF8, 1, 1)

async function never({ response }) {
  await new Promise((resolve) => response.on('close', resolve))
}

async function neverEnding(asked) {
  asked.response.writeHead(200, { 'content-type': 'application/json' }).write('{"devices": [')
  await never(asked)
}

const big =
  (headers) =>
  ({ response }) => {
    const body = JSON.stringify({ devices: [{ id: '1', name: 'x'.repeat(200_000) }] })
    response.writeHead(200, headers(Buffer.byteLength(body)))
    for (let at = 0; at < body.length; at += 50_000) response.write(body.slice(at, at + 50_000))
    response.end()
  }

/** A body that is nine hundred times smaller when compressed. */
const bigCompressed = ({ response }) => {
  const body = gzipSync(JSON.stringify({ devices: [{ id: '1', name: 'x'.repeat(200_000) }] }))
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip', 'content-length': body.length }).end(body)
}

const moved = (status, location) => (asked) =>
  asked.seen.path.startsWith('/moved')
    ? good({ ...asked, seen: { ...asked.seen, path: asked.seen.path.slice('/moved'.length) } })
    : asked.response.writeHead(status, { location: location(asked) }).end()

const here = ({ base, seen }) => `${base}/moved${seen.path}`
const elsewhere = ({ base, otherPort, seen }) => `http://127.0.0.1:${otherPort}${base}/moved${seen.path}`

/** A policy that someone else changes before each of the first `times` writes. */
const contested =
  (times) =>
  ({ seen, turn, response }) => {
    const version = Math.min(turn >> 1, times)
    const etag = `"v${version}"`
    if (seen.method === 'GET') return response.writeHead(200, { 'content-type': 'application/hujson', etag }).end(POLICY)
    if (turn >> 1 <= times) return json(response, 412, { message: 'the policy has changed' })
    response.writeHead(200, { 'content-type': 'application/hujson', etag: '"new"' }).end(seen.body)
  }

const SCRIPTS = {
  good,
  '429-bare': first(1, refuse(429)),
  '429-later': refuse(429, { 'retry-after': '120' }),
  '503-once': first(1, refuse(503, { 'retry-after': '0' })),
  '503-always': refuse(503, { 'retry-after': '0' }),
  '503-slowly': refuse(503, { 'retry-after': '45' }),
  'cut-once': first(1, cutBeforeHeaders),
  'cut-body-once': first(1, cutInBody),
  'cut-before-headers': cutBeforeHeaders,
  'cut-after-headers': cutAfterHeaders,
  'cut-body': cutInBody,
  'cut-refusal': cutRefusal,
  drip: drip(1),
  'drip-not-utf8': notUTF8,
  'drip-slowly': drip(50),
  never,
  'never-ending': neverEnding,
  big: big((length) => ({ 'content-type': 'application/json', 'content-length': length })),
  'big-compressed': bigCompressed,
  'big-chunked': big(() => ({ 'content-type': 'application/json' })),
  'not-json': raw('<html>a proxy says hello</html>', { 'content-type': 'text/html' }),
  'cut-json': raw('{"devices": [{"id": "1"'),
  empty: raw(''),
  list: raw('[]'),
  'no-list': raw('{"devices": {"id": "1"}}'),
  'no-id': raw('{"devices": [{"id": "1"}, {"id": 2}]}'),
  'null-device': raw('{"devices": [null]}'),
  'null-lists': raw('{"devices": null, "dns": null, "magicDNS": false, "searchPaths": null, "enabledRoutes": null, "advertisedRoutes": null, "matches": null}'),
  'odd-fields': raw('{"devices": [{"z": null, "id": "9", "a": {"b": [1.50, "ü", 9007199254740993]}, "__proto__": {"x": 1}, "tags": null}]}', {
    'content-type': 'text/plain',
  }),
  'lone-preview': raw('{"matches": [{"users": ["*"], "ports": ["*:*"]}]}'),
  'no-etag': raw('{} // no tag\n', { 'content-type': 'application/hujson' }),
  'empty-etag': raw('{}', { 'content-type': 'application/hujson', etag: '' }),
  'bare-etag': raw('\ufeff{}\r\n// ü\t\n', { 'content-type': 'application/json', etag: 'W/"a b"' }),
  latin1: raw(Buffer.from([0x7b, 0x2f, 0x2f, 0xfc, 0x0a, 0x7d]), { 'content-type': 'application/hujson', etag: '"1"' }),
  'html-refusal': raw('<html>Bad gateway</html>', { 'content-type': 'text/html' }, 502),
  'empty-refusal': raw('', {}, 404),
  'big-refusal': raw(JSON.stringify({ message: 'x'.repeat(100_000) }), undefined, 403),
  'full-refusal': raw(
    '{"message": "test(s) failed", "data": [{"user": "ann", "errors": ["no access"]}, "odd"], "more": 1}',
    { 'content-type': 'application/json', 'x-request-id': 'req-7' },
    400,
  ),
  echo: ({ seen, response }) => json(response, 403, { message: `not with ${seen.headers.authorization}` }),
  'moved-307': moved(307, here),
  'moved-away': moved(307, elsewhere),
  'contested-1': contested(1),
  'contested-9': contested(9),
  accepted: raw('{"ok": true}', { 'content-type': 'application/json; charset=utf-8' }, 202),
  text: raw('plain', { 'content-type': 'text/plain' }),
  ...Object.fromEntries([400, 401, 403, 404, 405, 409, 412, 418, 429, 500, 501, 502, 505].map((status) => [`${status}`, refuse(status)])),
}
