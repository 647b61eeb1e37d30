// Bodies of answers as text, read to their end within a limit, with the platform's streams and its UTF-8 decoder. Must not live
// here: what a body means.

/** How many bytes are read at a time where a body is decoded piece by piece: they stay in the processor's cache. */
const PIECE = 256 * 1024

/**
 * `{ exact, text }`: the whole body unchanged where it is valid UTF-8, and the body without a byte order mark, with invalid bytes
 * replaced. `undefined` where it is longer than `limit`. Reads the stream, so that the limit holds whatever the headers say; calls
 * `text()` where a mocked response has no stream.
 */
export async function readBody(response, limit, signal, inBrowser) {
  const { body } = response
  if (typeof body?.getReader === 'function') {
    const pieces = inBrowser && pieceReader(body)
    const read = pieces ? readPieces(pieces) : readChunks(body.getReader())
    return read((size, reader) => {
      // A caller who aborted needs no more of it.
      if (size <= limit && !signal?.aborted) return true
      reader.cancel().catch(() => {})
      return false
    })
  }
  const text = typeof response.text === 'function' ? await response.text() : ''
  if (typeof text !== 'string') return whole('')
  return text.length > limit ? undefined : whole(text)
}

const whole = (exact, text = exact) => ({ exact, text: text.startsWith('\uFEFF') ? text.slice(1) : text })

/**
 * A reader that fills one buffer of ours, used in browsers only: they allocate memory for each chunk, and decode pieces as fast as the
 * whole. Node does neither, and the byte streams of other runtimes are not reliable.
 */
function pieceReader(body) {
  try {
    return body.getReader({ mode: 'byob' })
  } catch {
    return undefined
  }
}

const readPieces = (reader) => async (goesOn) => {
  const text = new Text()
  let room = new Uint8Array(PIECE)
  for (let size = 0; ; ) {
    const { done, value } = await reader.read(room)
    if (done) return text.add(new Uint8Array()).whole()
    size += value.length
    if (!goesOn(size, reader)) return undefined
    text.add(value, { stream: true })
    room = new Uint8Array(value.buffer)
  }
}

const readChunks = (reader) => async (goesOn) => {
  const chunks = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    // A chunk of another realm is copied.
    const chunk = value instanceof Uint8Array ? value : new Uint8Array(value)
    size += chunk.length
    if (!goesOn(size, reader)) return undefined
    chunks.push(chunk)
  }
  return new Text().add(joined(chunks, size)).whole()
}

function joined(chunks, size) {
  if (chunks.length === 1) return chunks[0]
  const all = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    all.set(chunk, offset)
    offset += chunk.length
  }
  return all
}

/** A decoder that keeps a byte order mark; unless it is `fatal` it replaces invalid bytes. */
const decoder = (fatal) => new TextDecoder('utf-8', { fatal, ignoreBOM: true })

/** A text that may come in pieces; a piece may end inside a character. */
class Text {
  #text = ''
  /** Whether all so far was valid UTF-8. */
  #valid = true
  #decoder = decoder(true)
  /** How many bytes came so far, and the last three of them, which is the most that the decoder may hold back. */
  #size = 0
  #tail = new Uint8Array()

  add(bytes, how) {
    try {
      this.#text += this.#decoder.decode(bytes, how)
    } catch (error) {
      if (!this.#valid) throw error
      this.#giveUp()
      this.#text += this.#decoder.decode(bytes, how)
    }
    this.#size += bytes.length
    this.#tail = Uint8Array.from([...this.#tail, ...bytes.subarray(-3)]).slice(-3)
    return this
  }

  whole() {
    return whole(this.#valid ? this.#text : undefined, this.#text)
  }

  /** Goes on with a decoder that replaces. The bytes that the strict one held back are given to it first: they came, but are not in the text. */
  #giveUp() {
    this.#valid = false
    this.#decoder = decoder(false)
    const held = this.#size - new TextEncoder().encode(this.#text).length
    if (held > 0) this.#text += this.#decoder.decode(this.#tail.slice(-held), { stream: true })
  }
}
