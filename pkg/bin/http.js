// Node's HTTP on one side, Request and Response of the web on the other.
// Lives here: limits, CORS, answers to what is no proper request. Must not live here: the service.
import { createServer } from 'node:http'

/** Longest body that is read, in bytes. */
export const MAX_BODY = 4 * 1024 * 1024
/** A request must be complete after this many milliseconds, whatever its length. */
const REQUEST_TIME = 10_000
/** A connection on which nothing moves is closed after this many milliseconds. */
const IDLE_TIME = 30_000

const EXPOSED = 'ETag, Retry-After'

/** A refusal by the server itself; `message` is what the client reads. */
class Refusal extends Error {
  constructor(status, message, headers = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

/** A server, not yet listening, that answers each request with `handle(request)`. Nothing a client sends ends it. */
export function serverOf(handle) {
  const limits = { requestTimeout: REQUEST_TIME, headersTimeout: REQUEST_TIME, connectionsCheckingInterval: 500, requireHostHeader: false }
  const answer = (incoming, outgoing) => void respond(handle, incoming, outgoing)
  const server = createServer(limits, answer)
  server.timeout = IDLE_TIME
  // Longer than clients keep a connection: one that closes just when a request is on its way fails that request.
  server.keepAliveTimeout = IDLE_TIME
  server.on('checkContinue', (incoming, outgoing) => {
    if (!tooLong(incoming)) outgoing.writeContinue()
    answer(incoming, outgoing)
  })
  server.on('checkExpectation', (incoming, outgoing) => void respond(refuseExpectation, incoming, outgoing))
  server.on('clientError', refuseRaw)
  return server
}

async function respond(handle, incoming, outgoing) {
  outgoing.on('error', () => {})
  let response
  try {
    response = isPreflight(incoming) ? preflight(incoming) : await handle(await requestOf(incoming))
  } catch (error) {
    if (incoming.destroyed && !incoming.complete) return
    incoming.resume()
    if (!(error instanceof Refusal)) process.stderr.write(`${error?.stack ?? error}\n`)
    response = refusal(error)
  }
  await send(response, outgoing).catch(() => outgoing.destroy())
}

function refuseExpectation() {
  throw new Refusal(417, 'of all expectations only 100-continue can be met')
}

function refusal(error) {
  const known = error instanceof Refusal
  const message = known ? error.message : 'the sandbox failed; see its standard error'
  return Response.json({ message }, { status: known ? error.status : 500, headers: known ? error.headers : {} })
}

async function requestOf(incoming) {
  const { method } = incoming
  const body = method === 'GET' || method === 'HEAD' ? undefined : await bodyOf(incoming)
  try {
    return new Request(urlOf(incoming), { method, headers: headersOf(incoming), body })
  } catch {
    throw new Refusal(400, 'the request cannot be understood')
  }
}

/** The target as it was sent; joined as text, so that `//host/path` stays a path. */
function urlOf({ url }) {
  return url.startsWith('/') ? `http://sandbox.invalid${url}` : new URL(url)
}

function headersOf({ headers }) {
  return Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value])
}

const tooLong = ({ headers }) => Number(headers['content-length'] ?? 0) > MAX_BODY

async function bodyOf(incoming) {
  const refused = new Refusal(413, `the body is longer than ${MAX_BODY} bytes`)
  if (tooLong(incoming)) throw refused
  const chunks = []
  let length = 0
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    length += chunk.length
    if (length > MAX_BODY) throw refused
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

async function send(response, outgoing) {
  outgoing.statusCode = response.status
  outgoing.setHeader('access-control-allow-origin', '*')
  outgoing.setHeader('access-control-expose-headers', EXPOSED)
  response.headers.forEach((value, name) => outgoing.setHeader(name, value))
  const body = Buffer.from(await response.arrayBuffer())
  if (response.status !== 204) outgoing.setHeader('content-length', body.length)
  outgoing.end(body)
}

const isPreflight = ({ method, headers }) => method === 'OPTIONS' && 'access-control-request-method' in headers

/** Any page may call: without the API key it learns nothing. */
function preflight({ headers }) {
  const asked = headers['access-control-request-headers'] ?? 'authorization, content-type, accept, if-match'
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': asked,
      'access-control-allow-private-network': 'true',
      'access-control-max-age': '600',
      vary: 'access-control-request-headers',
    },
  })
}

/** What is no HTTP, too slow or too long in its headers has no request object; the answer is written by hand. */
function refuseRaw(error, socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? ['408 Request Timeout', 'the request took too long to arrive']
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? ['431 Request Header Fields Too Large', 'the headers are too long']
        : ['400 Bad Request', 'this is no HTTP request']
  const body = JSON.stringify({ message })
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close`
  socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy())
}
