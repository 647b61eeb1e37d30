// The tables that the native tests read, as a module of plain data for the cases of every runtime. Must not live here: tables.

import { readFileSync, readdirSync } from 'node:fs'

const read = (name) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')

/** Pairs of a text and its canonical layout, with the name of their files. */
const layouts = () =>
  readdirSync(new URL('../../hujson/format', import.meta.url))
    .filter((file) => file.endsWith('.hujson'))
    .map((file) => [file, read(`hujson/format/${file}`), read(`hujson/format/${file.replace('.hujson', '.want')}`)])

/** Texts with the result of Go for each: the prefix without host bits, or null. */
const verdicts = () =>
  read('cidr/verdicts.txt')
    .split('\n')
    .filter((line) => line.startsWith('"'))
    .map((line) => {
      const [quoted, , masked] = line.split('\t')
      return [JSON.parse(quoted.replaceAll('\\x00', '\\u0000')), masked ?? null]
    })

/** The module's text. */
export const tables = () =>
  Object.entries({
    accepted: JSON.parse(read('hujson/accepted.json')),
    refused: JSON.parse(read('hujson/refused.json')),
    layouts: layouts(),
    verdicts: verdicts(),
    names: JSON.parse(read('policy/names.json')),
  })
    .map(([name, table]) => `export const ${name} = ${JSON.stringify(table)}\n`)
    .join('')
