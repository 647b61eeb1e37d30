// Node's HTTP on one side, requests in parts and answers in bytes on the other.
// Lives here: limits, requests that are not valid, order on a connection. Must not live here: the service, who may call (`common/visitors.js`).
import { createServer } from 'node:http'
import { READ_HEADERS, refusal, refusedEncoding } from '../../esm/node/service.js'
import { allowing, isPreflight } from '../../common/visitors.js'
import { bytes } from './answers.js'
import { patience } from './patience.js'

/** Longest body that is read, in bytes. */
export const MAX_BODY = 4 * 1024 * 1024

const NOTHING = Buffer.alloc(0)
/** A `.` or `..` segment, also percent-encoded, or a backslash, which some read as a slash: no path of the service has one. */
const STEPS = /(^|\/)(\.|%2e){1,2}(\/|$)|\\|%5c/i
/** The token endpoints, where the body has the credentials rather than a header. */
const TOKENS = /\/oauth\/token(-exchange)?$/

/**
 * A server, not yet listening. `service` has `read(request)`, which returns an answer, and `change(request)`, which returns an
 * answer or a promise of one. Nothing that a client sends ends the server.
 */
export function serverOf(service, rules, limits) {
  const server = createServer({ requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0, requireHostHeader: false })
  const { began, isReceiving } = patience(server, tooLate, limits)
  const respond = (answer) => (incoming, outgoing) => {
    began(incoming, outgoing)
    outgoing.on('error', () => {})
    inTurn(incoming.socket, () => answered(() => answer(incoming, outgoing), incoming, outgoing))
  }
  const serve = (incoming) => refusedHead(rules, incoming) ?? answerTo(service, rules, incoming)
  server.on('request', respond(serve))
  server.on(
    'checkContinue',
    respond((incoming, outgoing) => {
      incoming.invite = () => outgoing.writeContinue()
      return serve(incoming)
    }),
  )
  server.on(
    'checkExpectation',
    respond((incoming) => refusedHead(rules, incoming) ?? refusal(417, 'the only supported expectation is 100-continue')),
  )
  server.on('clientError', (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const refuse = () => refuseRaw(error, socket)
    // Answers under way are sent first; where the body of a request is not HTTP, this is the answer to it.
    if (isReceiving(socket)) refuse()
    else inTurn(socket, refuse)
  })
  return server
}

const turns = new WeakMap()

/** Handles one request after the other on a connection, so that a read after a change sees the change. */
function inTurn(socket, work) {
  const before = turns.get(socket)
  const running = before ? before.then(work) : work()
  if (!running) return
  const turn = running.then(() => turns.get(socket) === turn && turns.delete(socket))
  turns.set(socket, turn)
}

/** Sends the result of `answer`: at once, or where that is a promise, later; then it returns a promise that never rejects. */
function answered(answer, incoming, outgoing) {
  const fail = (error) => send(failure(error), incoming, outgoing)
  try {
    const given = answer()
    if (!(given instanceof Promise)) return void send(given, incoming, outgoing)
    return given.then((late) => send(late, incoming, outgoing)).catch(fail)
  } catch (error) {
    fail(error)
  }
}

function failure(error) {
  process.stderr.write(`${error?.stack ?? error}\n`)
  return refusal(500, 'the sandbox failed; see its standard error')
}

/** The refusal of a request by its head, before its path is looked at. */
function refusedHead(rules, { rawHeaders, httpVersionMinor, headers, url, socket }) {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length
  if (hosts > 1 || (!headers.host && (hosts > 0 || httpVersionMinor > 0))) return closed(400, 'a request has one `Host`')
  const named = url.startsWith('/') ? undefined : /^https?:\/\/([^/?#]*)/i.exec(url)?.[1]
  // HTTP/1.0 has no `Host`; no browser uses it.
  const refused = rules.refused(named ?? headers.host ?? 'localhost', (name) => headers[name], socket.localAddress?.replace(/^::ffff:/, ''))
  return refused ? closed(403, refused) : undefined
}

/** A refusal that no page may read. */
const closed = (status, message) => ({ ...refusal(status, message), isClosed: true })

function answerTo(service, rules, incoming) {
  const { method, headers, url } = incoming
  const of = (name) => headers[name]
  if (isPreflight(method, of)) return rules.preflight(of)
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '')
  const path = target.split('?', 1)[0]
  if (!path.startsWith('/') || STEPS.test(path)) return refusal(404, 'no such path')
  const request = { method, target, headers: pairs(headers), body: NOTHING }
  if (method === 'GET' || method === 'HEAD') return service.read(request)
  // Hardly anything is allowed without a key: a caller who is refused for that, or for a wrong one, need not send the body first.
  // No path has OPTIONS, so asking for it changes nothing, and the key is looked at before the method.
  const early = !TOKENS.test(path) && service.read({ ...request, method: 'OPTIONS' })
  if (early?.status === 401) return early
  const plain = refusedEncoding(headers['content-encoding'])
  if (plain) return plain
  if (Number(headers['content-length'] ?? 0) > MAX_BODY) return tooLong()
  if (!hasBody(headers)) return service.change(request)
  incoming.invite?.()
  return bodyOf(incoming).then((body) => (body === undefined ? tooLong() : service.change({ ...request, body })))
}

function pairs(headers) {
  const found = []
  for (const name of READ_HEADERS) if (headers[name] !== undefined) found.push([name, headers[name]])
  return found
}

const hasBody = (headers) => headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const tooLong = () => refusal(413, `the body is longer than ${MAX_BODY} bytes`)

/** Resolves with the body, or undefined where it is too long; stays pending where the caller hangs up. */
function bodyOf(incoming) {
  return new Promise((resolve) => {
    const chunks = []
    let length = 0
    incoming.on('data', (chunk) => {
      length += chunk.length
      if (length <= MAX_BODY) return chunks.push(chunk)
      chunks.length = 0
      resolve(undefined)
    })
    incoming.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
    incoming.on('error', () => {})
  })
}

function send(answer, incoming, outgoing) {
  const { status, headers, body, isClosed } = bytes(answer)
  const all = headers.concat(allowing((name) => (isClosed ? undefined : incoming.headers[name])).flat())
  if (status !== 204) all.push('content-length', body.length)
  outgoing.writeHead(status, all)
  outgoing.end(incoming.method === 'HEAD' ? undefined : body)
  // An unread rest of the body would block the next request.
  if (!incoming.complete) incoming.resume()
}

/** Ends a request that is not complete in time; one that already has its answer gets no other. */
function tooLate(socket, isAnswered) {
  if (isAnswered) socket.destroy()
  else endRaw(socket, '408 Request Timeout', 'the request took too long to arrive')
}

/** Answers bytes that are not HTTP, or headers that are too long: there is no request object, so the answer is written by hand. */
function refuseRaw({ code }, socket) {
  if (code === 'HPE_HEADER_OVERFLOW') endRaw(socket, '431 Request Header Fields Too Large', 'the headers are too long')
  else endRaw(socket, '400 Bad Request', 'this is no HTTP request')
}

function endRaw(socket, status, message) {
  const body = JSON.stringify({ message })
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close`
  socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy())
}
