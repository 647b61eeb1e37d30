// The exchanges of `tests/api/wire`, which the native tests read too, as modules that every runtime can import. Must not live here: what is asserted
// of them (`cases/client/exchanges.mjs`, `checks/answers.mjs`).
//
// An exchange begins with `### ` and the name of its operation. In a comment below it stands the call that makes the request, over `client`, `body` (what
// is sent, parsed where it is JSON) and `ifMatch`; behind `=>` what the call gives, over `answer` (what comes back, likewise) and `etag`, where that is not
// the answer itself.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../api/wire/', import.meta.url))
const MODULE = fileURLToPath(new URL('../cases/client/wire.mjs', import.meta.url))
const HEAD = '// Made of `tests/api/wire` by `lib/exchanges.mjs`, which says what is in it.\n\n'

/** Writes the module `cases/client/wire.mjs`. */
export function writeExchanges() {
  const line = ({ call, result, ...data }) =>
    `  { ...${JSON.stringify(data)}, call: (client, body, ifMatch) => ${call}, result: (answer, etag) => ${result} },\n`
  writeFileSync(MODULE, `${HEAD}export default [\n${exchanges().map(line).join('')}]\n`)
}

/** A module with the calls that this text does not have, by name: `exchanged`. Each is answered as its exchange says. */
export function exchanged(calls) {
  const others = exchanges().filter(({ name }) => !calls.includes(`'client.${name}'`))
  const asked = others.map(({ name, call, body, ...answer }) => {
    const made = `const client = answering(${JSON.stringify(answer)}), body = ${body || 'undefined'}`
    return `  'client.${name}': () => {\n    ${made}\n    return ${call}\n  },\n`
  })
  return `import { TailnetClient } from 'tailnet-kit'

const options = { baseURL: 'https://api.example.com', tailnet: 'example.com', apiKey: 'key' }
const answering = ({ answer, ...init }) => new TailnetClient({ ...options, fetch: async () => new Response(answer, init) })
export const exchanged = {\n${asked.join('')}}\n`
}

/** All exchanges, by namespace. */
function exchanges() {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.http'))
  // Behind them stand stories, which the native tests tell (`tests/sandbox/stories.rs`).
  const texts = files.sort().map((name) => readFileSync(FOLDER + name, 'utf8').split('\n## ')[0])
  return texts.flatMap((text) => `\n${text}`.split('\n### ').slice(1).map(exchange))
}

function exchange(text) {
  const [, name, call, result = 'answer', rest] = /^(\S+)\n# (.*?)(?: => (.*))?\n([^]*)$/.exec(text) ?? []
  if (!name) throw new Error(`${text.split('\n')[0]}: no comment says which call it is`)
  const at = rest.indexOf('\nHTTP ')
  const [[first, fields, body], [status, headers, answer]] = [rest.slice(0, at), rest.slice(at + 1)].map(parts)
  const [method, path] = first.split(' ')
  return { name, method, path, fields, body, status: Number(status.slice(5)), headers, answer, call, result }
}

/** First line, header fields, body without the line breaks at its end. */
function parts(message) {
  const at = message.indexOf('\n\n')
  const [head, body] = at < 0 ? [message, ''] : [message.slice(0, at), message.slice(at + 2)]
  const [first, ...fields] = head.trim().split('\n')
  return [first, Object.fromEntries(fields.map((field) => field.split(': '))), body.trimEnd()]
}
