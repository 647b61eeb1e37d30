// Decodes the wasm from text. One character stands for a common byte, two for a rare one. So the text is shorter than base64,
// and it compresses as well as the file itself, since no character mixes bits of two bytes. Must not live here: the text, or how
// it is written (`scripts/encode.mjs`).

/** Printable ASCII without the characters that would end or escape a string, a template or a script in a page. */
export const ALPHABET = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
  .filter((character) => !'"\'`$<\\'.includes(character))
  .join('')
/** How many of the alphabet's last characters begin a pair. */
export const MARKS = 2

const CHUNK = 8192

/** `text` as `length` bytes; `ranks` holds the bytes in the order of their codes: first the single characters, then the pairs. */
export function decode(text, ranks, length) {
  const places = new Uint8Array(128)
  for (let place = 0; place < ALPHABET.length; place++) places[ALPHABET.charCodeAt(place)] = place
  const source = new TextEncoder().encode(text)
  const bytes = Uint8Array.from(ranks)
  const target = new Uint8Array(length)
  const at = { source: 0, target: 0 }
  // In chunks: an engine compiles a function that is called often sooner than one that loops for long.
  while (at.source < source.length) decodeChunk(source, Math.min(at.source + CHUNK, source.length), target, at, places, bytes)
  return target
}

function decodeChunk(source, end, target, at, places, bytes) {
  const singles = ALPHABET.length - MARKS
  let from = at.source
  let to = at.target
  while (from < end) {
    let place = places[source[from++]]
    if (place >= singles) place = singles + (place - singles) * ALPHABET.length + places[source[from++]]
    target[to++] = bytes[place]
  }
  at.source = from
  at.target = to
}
