// Bytes to the text that `common/decode.js` reads: the frequent bytes take one character, the others two. Must not
// live here: files.

import { ALPHABET, MARKS, decode } from '../common/decode.js'

/** The text of the bytes and what decoding needs beside it; throws if it does not come back as it was. */
export function encode(bytes) {
  const counts = new Array(256).fill(0)
  for (const byte of bytes) counts[byte]++
  const ranks = [...counts.keys()].sort((one, other) => counts[other] - counts[one])
  const characters = []
  ranks.forEach((byte, rank) => {
    characters[byte] = charactersOf(rank)
  })
  const text = Array.from(bytes, (byte) => characters[byte]).join('')
  if (Buffer.compare(decode(text, ranks, bytes.length), bytes) !== 0) throw new Error('the wasm does not come back from its text')
  return { text, ranks, length: bytes.length }
}

function charactersOf(rank) {
  const singles = ALPHABET.length - MARKS
  if (rank < singles) return ALPHABET[rank]
  const pair = rank - singles
  return ALPHABET[singles + Math.floor(pair / ALPHABET.length)] + ALPHABET[pair % ALPHABET.length]
}
