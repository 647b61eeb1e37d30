// What the repository does not hold and rows in `beside/` compare with: recordings of the service, and a contract. Must not live here: where that
// is (the caller of the tests says it), what is compared.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The path of a file in the folder of `cargo xtask test ... --beside FOLDER`. */
export function beside(name) {
  const folder = process.env.TAILNET_KIT_BESIDE
  if (!folder) throw new Error('this compares with files that the repository does not hold: `cargo xtask test recorded contract --beside FOLDER`')
  return join(folder, name)
}

/** All recordings; throws where not all of those that the folder counts are there. */
export function recordings() {
  const read = (name) => readFileSync(beside(`policy-corpus/${name}`), 'utf8').trim()
  return Object.entries(JSON.parse(read('counts.json'))).flatMap(([category, { cases }]) => {
    const lines = read(`${category}.jsonl`).split('\n')
    if (lines.length !== cases) throw new Error(`${lines.length} of ${cases} recordings of ${category} are there`)
    return lines.map((line) => JSON.parse(line))
  })
}
