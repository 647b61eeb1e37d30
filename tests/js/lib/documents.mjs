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
    .flatMap((file) => readFileSync(join(FOLDER, file), 'utf8').split(/^(?=\/\/# )/m))
    .filter((text) => text.startsWith('//# '))
    .map(document)

function document(text) {
  const [, title] = text.match(/^\/\/# (.*)/)
  const [, context] = text.match(/^\/\/@ (\{.*)/m) ?? []
  const [, message] = text.match(/^\/\/= (.*)/m) ?? []
  const codes = [...text.matchAll(/\/\/~ ([\w ]+)/g)].flatMap(([, list]) => list.trim().split(' '))
  return { title, text, message, codes, context: context && JSON.parse(context) }
}
