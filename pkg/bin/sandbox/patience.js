// How long a server waits for its callers. Time is counted in beats of the event loop and not by the clock: while a long answer
// keeps the loop busy nobody counts as late, as what they sent waits to be read. Must not live here: the answer to late callers.

const BEAT = 500

/** Milliseconds until a request must be complete, whatever its length, and for which a connection may be idle. */
export const LIMITS = { request: 10_000, idle: 30_000 }

/**
 * Watches the connections of `server`; `late(socket, isAnswered)` ends one whose request is not complete in time.
 * Returns `began(incoming, outgoing)`, to be called for each request, and `isReceiving(socket)`: whether its newest request is not
 * complete yet.
 */
export function patience(server, late, { request, idle, beat = BEAT } = { ...LIMITS }) {
  const callers = new Map()
  const rules = {
    receiving: [request, (socket, { last }) => late(socket, last?.isAnswered === true && !last.incoming.complete)],
    idle: [idle, (socket) => socket.destroy()],
    // A caller who does not read an answer that is ready. An answer that is still being made has no limit.
    taking: [idle, (socket) => socket.destroy()],
  }
  server.on('connection', (socket) => {
    callers.set(socket, fresh(socket))
    socket.once('close', () => callers.delete(socket))
  })
  const pulse = setInterval(() => {
    for (const [socket, caller] of callers) {
      const phase = phaseOf(socket, caller)
      if (phase !== caller.phase) Object.assign(caller, { phase, beats: 0 })
      const [limit, end] = rules[phase] ?? []
      if (limit !== undefined && ++caller.beats > limit / beat) end(socket, caller)
    }
  }, beat).unref()
  server.once('close', () => clearInterval(pulse))

  const began = (incoming, outgoing) => {
    const caller = callers.get(incoming.socket)
    if (!caller) return
    const last = { incoming, isAnswered: false }
    Object.assign(caller, { last, beats: 0, open: caller.open + 1 })
    outgoing.once('close', () => {
      last.isAnswered = true
      Object.assign(caller, { read: incoming.socket.bytesRead, beats: 0, open: caller.open - 1 })
    })
  }
  return { began, isReceiving: (socket) => callers.get(socket)?.last?.incoming.complete === false }
}

/** `open` requests have no answer yet; `read` bytes belong to those that have one; `last` is the newest of both. */
const fresh = (socket) => ({ open: 0, read: socket.bytesRead, beats: 0, phase: 'idle', last: undefined })

function phaseOf(socket, { open, read, last }) {
  if (last && !last.incoming.complete) return 'receiving'
  if (open > 0) return socket.writableLength > 0 ? 'taking' : 'answering'
  return socket.bytesRead > read ? 'receiving' : 'idle'
}
