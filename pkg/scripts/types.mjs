// The declarations under the ending that CommonJS looks for: those of the entries (in this folder, in `elements` and in `react`) once more, those of the parts (`types`) under that ending alone, as
// both kinds of modules may import it. Must not live here: declarations.
//
//     node scripts/types.mjs

import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'

const PKG = join(dirname(fileURLToPath(import.meta.url)), '..')
const both = (ending) =>
  ['.', 'elements', 'react', 'types'].flatMap((folder) =>
    readdirSync(join(PKG, folder))
      .filter((name) => name.endsWith(ending))
      .map((name) => join(PKG, folder, name)),
  )

export function writeTypes() {
  for (const file of both('.d.cts')) rmSync(file)
  for (const file of both('.d.ts')) {
    writeFileSync(file.replace(/\.d\.ts$/, '.d.cts'), readFileSync(file, 'utf8').replace(/(from '\.[\w./-]+)\.js'/g, "$1.cjs'"))
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) writeTypes()
