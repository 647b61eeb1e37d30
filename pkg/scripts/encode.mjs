// Bytes to the text that `common/decode.js` reads: the frequent bytes take one character, the others two. Must not
// live here: files.

import { ALPHABET, MARKS, decode } from '../common/decode.js'

/** The bytes of some files by how frequent they are. One order for all: where a bundle has several files, what they share is the
 * same text in each, and brotli finds it. */
export function ranksOf(files) {
  const counts = new Array(256).fill(0)
  for (const bytes of files) for (const byte of bytes) counts[byte]++
  return [...counts.keys()].sort((one, other) => counts[other] - counts[one])
}

/** The text of the bytes and their number; throws if it does not come back as it was. */
export function encode(bytes, ranks) {
  const characters = []
  ranks.forEach((byte, rank) => {
    characters[byte] = charactersOf(rank)
  })
  const text = Array.from(bytes, (byte) => characters[byte]).join('')
  if (Buffer.compare(decode(text, ranks, bytes.length), bytes) !== 0) throw new Error('the wasm does not come back from its text')
  return { text, length: bytes.length }
}

function charactersOf(rank) {
  const singles = ALPHABET.length - MARKS
  if (rank < singles) return ALPHABET[rank]
  const pair = rank - singles
  return ALPHABET[singles + Math.floor(pair / ALPHABET.length)] + ALPHABET[pair % ALPHABET.length]
}
