// The exchanges of `tests/api/wire`, which the native tests read too, as a module that every runtime can import. Must not live here: what is asserted
// of them (`cases/client/exchanges.mjs`).
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
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.http'))
  const exchanges = files.sort().flatMap((name) => `\n${readFileSync(FOLDER + name, 'utf8')}`.split('\n### ').slice(1).map(exchange))
  writeFileSync(MODULE, `${HEAD}export default [\n${exchanges.join('')}]\n`)
}

function exchange(text) {
  const [, name, call, result = 'answer', rest] = /^(\S+)\n# (.*?)(?: => (.*))?\n([^]*)$/.exec(text) ?? []
  if (!name) throw new Error(`${text.split('\n')[0]}: no comment says which call it is`)
  const at = rest.indexOf('\nHTTP ')
  const [[first, fields, body], [status, headers, answer]] = [rest.slice(0, at), rest.slice(at + 1)].map(parts)
  const [method, path] = first.split(' ')
  const data = { name, method, path, fields, body, status: Number(status.slice(5)), headers, answer }
  const make = `call: (client, body, ifMatch) => ${call}, result: (answer, etag) => ${result}`
  return `  { ...${JSON.stringify(data)}, ${make} },\n`
}

/** First line, header fields, body without the line breaks at its end. */
function parts(message) {
  const at = message.indexOf('\n\n')
  const [head, body] = at < 0 ? [message, ''] : [message.slice(0, at), message.slice(at + 2)]
  const [first, ...fields] = head.trim().split('\n')
  return [first, Object.fromEntries(fields.map((field) => field.split(': '))), body.trimEnd()]
}
