// Bodies of answers as text, read to their end within a limit, by what the platform has for streams and UTF-8. Must not live here:
// what a body means.

/** How much of a body is asked for at once where it is decoded piece by piece: it stays in the processor's cache. */
const PIECE = 256 * 1024

/**
 * `{ exact, text }`: the whole body byte for byte where it is UTF-8, and without a byte order mark, what is no UTF-8 replaced. `undefined`
 * where it is longer than `limit`. By its stream, so that the limit holds whatever the headers say, or as text where a stand-in for a response has
 * no stream.
 */
export async function readBody(response, limit, signal, inBrowser) {
  const { body } = response
  if (typeof body?.getReader === 'function') {
    const pieces = inBrowser && pieceReader(body)
    const read = pieces ? readPieces(pieces) : readChunks(body.getReader())
    return read((size, reader) => {
      // Whoever gave up waiting wants no more of it.
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
 * A reader that fills our own buffer, where that pays: browsers give the chunks in memory that is new each time, and decode pieces as
 * fast as the whole. Node does neither, and other runtimes' streams of bytes are not to be trusted.
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
    // One of another realm is copied.
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

/** A decoder that leaves a byte order mark where it is; one that is not `fatal` replaces what is no UTF-8. */
const decoder = (fatal) => new TextDecoder('utf-8', { fatal, ignoreBOM: true })

/** A text that may come in pieces, which may end within a character. */
class Text {
  #text = ''
  /** Whether all so far was UTF-8. */
  #valid = true
  #decoder = decoder(true)
  /** How many bytes came so far, and the last three of them: as many as the decoder may hold back. */
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

  /** Goes on with a decoder that replaces. What the strict one held back went with it: the bytes that came and are not in the text. */
  #giveUp() {
    this.#valid = false
    this.#decoder = decoder(false)
    const held = this.#size - new TextEncoder().encode(this.#text).length
    if (held > 0) this.#text += this.#decoder.decode(this.#tail.slice(-held), { stream: true })
  }
}
