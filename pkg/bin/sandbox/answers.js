// Answers as the bytes that are sent, and a cache of the answers to reads. Must not live here: the service, HTTP.

/** How many bytes of answers are cached at most. */
const KEPT = 64 * 1024 * 1024

/** An answer with its body as bytes and its headers in one flat list; one in that form is returned unchanged. */
export const bytes = (answer) => (typeof answer.body === 'string' ? { ...answer, headers: answer.headers.flat(), body: Buffer.from(answer.body) } : answer)

/**
 * `service.answer` with a cache, for requests that change nothing. Within one second the same request has the same answer until
 * the state changes, as all times of the service are whole seconds.
 */
export function remembering(service, now = Date.now) {
  const kept = new Map()
  let size = 0
  let made
  const forget = (stamp) => {
    kept.clear()
    size = 0
    made = stamp
  }
  return (request) => {
    const at = now()
    const stamp = `${service.revision} ${Math.floor(at / 1000)}`
    if (stamp !== made) forget(stamp)
    const question = JSON.stringify([request.method === 'HEAD' ? 'GET' : request.method, request.target, request.headers])
    const known = kept.get(question)
    if (known) return known
    const answer = bytes(service.answer(request, at))
    if (size + answer.body.length > KEPT) forget(stamp)
    size += answer.body.length
    kept.set(question, answer)
    return answer
  }
}
