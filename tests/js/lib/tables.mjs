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

/**
 * The exchanges of Headscale's releases: a call, the requests that it takes with the answer to each, and the error that it ends with.
 * Their form is that of `tests/common/exchanges_of_headscale.rs`.
 */
function exchanges(release) {
  const calls = `\n${read(`common/headscale/${release}.http`)}`.split('\n### ').slice(1)
  return calls.map((text) => {
    const [first] = text.split('\n', 1)
    const [method] = first.split(' ', 1)
    const messages = []
    let error = null
    for (const message of text.slice(first.length + 1).split(/^(?=HTTP |[A-Z]+ \/)/m)) {
      const [head, ...body] = message.trim().split('\n\n')
      const [line, ...fields] = head.split('\n')
      if (line === '') continue
      error = fields.find((field) => field.startsWith('# '))?.slice(2) ?? error
      const [verb, target] = line.split(' ')
      const sent = { body: body.join('\n\n'), headers: fields.filter((field) => !field.startsWith('# ')).map((field) => field.split(': ')) }
      if (verb === 'HTTP') Object.assign(messages.at(-1), { answer: { status: Number(target), ...sent } })
      else messages.push({ method: verb, target, body: sent.body })
    }
    return { method, args: JSON.parse(first.slice(method.length)), messages, error }
  })
}

/** The module's text. */
export const tables = () =>
  Object.entries({
    accepted: JSON.parse(read('hujson/accepted.json')),
    refused: JSON.parse(read('hujson/refused.json')),
    layouts: layouts(),
    verdicts: verdicts(),
    names: JSON.parse(read('policy/names.json')),
    releases: Object.fromEntries(['0.28', '0.29', '0.30'].map((release) => [release, exchanges(release)])),
  })
    .map(([name, table]) => `export const ${name} = ${JSON.stringify(table)}\n`)
    .join('')
