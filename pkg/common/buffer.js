// Text in and out of a wasm file through its buffer (`crates/wasm/src/text.rs`). Must not live here: what becomes of a text.

const BEYOND_LATIN = /[^\0-\xff]/
const encoder = new TextEncoder()
// A byte-order mark is part of the text: it must come back unchanged, and be refused where it is not allowed.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

// Node's Buffer copies several times as fast as the encoders. Versions of Buffer for browsers do not, and lack this method.
const Native = globalThis.Buffer?.prototype?.latin1Slice ? globalThis.Buffer : undefined

/** How many bytes are decoded at a time: engines take twice as long where they must allocate megabytes at once. */
const PIECE = 32_768

/** The index of the first surrogate without its other half; -1 for none. Old engines lack `isWellFormed`. */
export const straySurrogate = (text) => (text.isWellFormed?.() ? -1 : text.search(/\p{Surrogate}/u))

/** The buffer of one instance; `wasm` gives its glue. */
export function buffer(wasm, instance) {
  let memory
  let bytes
  instance.onRenewal(() => {
    memory = undefined
    bytes = undefined
  })

  /** The buffer from `start` on, made at least `length` bytes long. */
  function view(length, start = 0) {
    const address = wasm().text_reserve(length)
    memory ??= wasm().text_memory()
    return new Uint8Array(memory.buffer, address + start, length - start)
  }

  /** The whole memory as Node's Buffer, made anew where the memory has grown: that empties older views. */
  function native() {
    memory ??= wasm().text_memory()
    if (!bytes?.length) bytes = Native.from(memory.buffer)
    return bytes
  }

  /**
   * Writes a text into the buffer, from `start` on; returns its length in bytes. ASCII, the common case, takes one step; a stray surrogate
   * becomes U+FFFD, as on the wire.
   */
  function fill(text, start = 0) {
    let { read, written } = encoder.encodeInto(text, view(start + text.length, start))
    if (read < text.length) {
      const rest = text.slice(read)
      const from = start + written
      written += encoder.encodeInto(rest, view(from + rest.length * 3, from)).written
    }
    return written
  }

  /** Writes texts one behind the other; returns their lengths in bytes. */
  function fillAll(...texts) {
    let end = 0
    return texts.map((text) => {
      const length = fill(text, end)
      end += length
      return length
    })
  }

  /** The same for a text without stray surrogates; `refuse` makes the error for a text that has one. */
  function put(text, refuse) {
    if (typeof text !== 'string') throw { code: 'invalid_argument', message: 'the text must be a string' }
    const written = fill(text)
    const stray = written === text.length ? -1 : straySurrogate(text)
    if (stray >= 0) throw refuse(written, stray)
    return written
  }

  /**
   * Writes a text with one byte for each UTF-16 unit: ASCII as itself, any other unit as 128 or more. Returns whether `takeUnits`
   * can read the text back unchanged.
   */
  function putUnits(text) {
    const { length } = text
    const latin = !BEYOND_LATIN.test(text)
    if (Native) {
      const address = wasm().text_reserve(latin ? length : length * 2)
      native().write(text, address, latin ? 'latin1' : 'utf16le')
      if (!latin) wasm().text_narrow(length)
      return latin
    }
    if (latin && encoder.encodeInto(text, view(length)).read === length) return true
    const { buffer, byteOffset } = view(length)
    const units = new Uint8ClampedArray(buffer, byteOffset, length)
    for (let i = 0; i < length; i++) units[i] = text.charCodeAt(i)
    return false
  }

  /** Reads what is left of a text for which `putUnits` returned true. */
  function takeUnits(length) {
    if (!Native) return decoded(length)
    const address = wasm().text_reserve(length)
    return native().toString('latin1', address, address + length)
  }

  /** Reads the first `length` bytes of the buffer, which are UTF-8. */
  const take = (length) => (Native && wasm().text_is_ascii(length) ? takeUnits(length) : decoded(length))

  function decoded(length) {
    const encoded = view(length)
    let text = ''
    for (let from = 0; from < length; from += PIECE) {
      const to = from + PIECE
      text += decoder.decode(encoded.subarray(from, to), { stream: to < length })
    }
    return text
  }

  return { fill, fillAll, put, putUnits, take, takeUnits }
}
