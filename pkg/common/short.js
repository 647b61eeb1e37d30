// Short ASCII texts in and out of a wasm file through a fixed place in its memory (`crates/wasm/src/short.rs`): for a single prefix,
// encoders and decoders take several times as long as all else. Must not live here: what becomes of a text.

/** How many bytes the place has. */
const PLACE = 64

/** The place of one instance; `wasm` gives its glue. */
export function short(wasm, instance) {
  let bytes
  instance.onRenewal(() => {
    bytes = undefined
  })

  /** A view of the place, made anew where the memory has grown: that empties older views. */
  const place = () => {
    if (!bytes?.length) bytes = new Uint8Array(wasm().text_memory().buffer, wasm().short_place(), PLACE)
    return bytes
  }

  /** Writes a short ASCII text there; returns false for any other. */
  function write(text) {
    if (typeof text !== 'string' || text.length > PLACE) return false
    const bytes = place()
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (unit > 127) return false
      bytes[at] = unit
    }
    return true
  }

  const read = (length) => String.fromCharCode.apply(undefined, place().subarray(0, length))

  return { read, write }
}
