// Whether the hooks and the job of GitLab name the checksum of this packed file; with --write they do afterwards. Neither is in the packed file.
// Must not live here: packing.
//
//     node scripts/packed.mjs TARBALL [--write]

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..')
/** Each place with the text before the checksum. */
const PLACES = { 'action/packed.mjs': /(CHECKSUM = ')(\w+)/, 'action/gitlab.yml': /(TAILNET_KIT_CHECKSUM: )(\w+)/ }

const [tarball, write] = process.argv.slice(2)
const checksum = createHash('sha256').update(readFileSync(tarball)).digest('hex')
for (const [place, named] of Object.entries(PLACES)) {
  const text = readFileSync(join(ROOT, place), 'utf8')
  const [, , found] = named.exec(text) ?? []
  if (write === '--write') writeFileSync(join(ROOT, place), text.replace(named, `$1${checksum}`))
  else if (found !== checksum) throw new Error(`${place} names ${found}, and the packed file is ${checksum}`)
}
console.log(checksum)
