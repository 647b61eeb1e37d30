// The policies of the native tests, each with what is written in it: its context, the codes of its findings, the service's message. Must not live
// here: what is asserted about them.

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { HERE } from './project.mjs'

const FOLDER = join(HERE, '../policy')

/** As tests/policy/check.rs reads them: a document starts at `//# HEADING: what it shows`. */
export const documents = () =>
  readdirSync(FOLDER, { recursive: true })
    .filter((file) => file.endsWith('.hujson'))
    .sort()
    .flatMap((file) => documentsIn(file))

/** Those of a file; in a folder `headscale` they are in its dialect. */
function documentsIn(file) {
  const dialect = file.split(/[\\/]/).includes('headscale') ? 'headscale' : undefined
  const texts = readFileSync(join(FOLDER, file), 'utf8').split(/^(?=\/\/# )/m)
  return texts.filter((text) => text.startsWith('//# ')).map((text) => document(text, dialect))
}

function document(text, dialect) {
  const [, title] = text.match(/^\/\/# (.*)/)
  const [, context] = text.match(/^\/\/@ (\{.*)/m) ?? []
  const [, message] = text.match(/^\/\/= (.*)/m) ?? []
  const codes = [...text.matchAll(/\/\/~ ([\w ]+)/g)].flatMap(([, list]) => list.trim().split(' '))
  return { title, text, message, codes, dialect, context: (context ?? dialect) && { dialect, ...JSON.parse(context ?? '{}') } }
}
