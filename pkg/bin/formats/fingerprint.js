// A fingerprint identifies a finding from run to run, even where its line has moved. Must not live here: findings.
import { createHash } from 'node:crypto'

/** Gives each finding its fingerprint, 64 digits; equal findings are numbered. */
export function fingerprints() {
  const seen = new Map()
  return (path, { code, pointer = '', message }) => {
    const words = JSON.stringify([path, code, pointer, message])
    const nth = seen.get(words) ?? 0
    seen.set(words, nth + 1)
    return createHash('sha256').update(`${words}${nth}`).digest('hex')
  }
}
