// `tailnet-kit translate`: a policy in the other language. Must not live here: the languages, what is lost between them.
import { hujson, policy } from 'tailnet-kit'
import { ANSWERING, DEVICES, text, texts } from '../arguments.js'
import { contextOf } from '../context.js'
import { DIALECTS } from '../dialect.js'
import { Failure } from '../failure.js'
import { expect, inFile, read } from '../files.js'
import { VERSION } from '../formats/json.js'
import { oneLine } from '../one-line.js'

export const usage = 'FILE --to NAME [--devices FILE] [--login HERE=THERE]...'
export const says = `Writes the policy in the other language to standard output, comments kept, and to standard error what that cannot say, or means
otherwise there, each with its line; then whether the devices of --devices have the same access and logins. Whatever would be wider
there is left out. FILE may be '-'.`
export const options = {
  to: text('NAME', 'tailscale or headscale: the language of the new text'),
  login: texts('HERE=THERE', 'how a user is called there; by default by the mail address'),
  ...DEVICES,
  ...ANSWERING,
}
export const exits = { 0: 'all of it is said', 1: 'something is lost, or the access is not the same, or the policy would be refused' }
export const examples = [
  'npx --no tailnet-kit translate policy.hujson --to headscale > policy.headscale.hujson',
  'npx --no tailnet-kit translate policy.headscale.hujson --to tailscale --login ann=ann@example.com',
]

export async function run({ json = false, to, login = [], ...values }, files) {
  expect(files, 'FILE')
  const [file] = files
  if (!DIALECTS.includes(to)) throw new Failure(`--to takes ${DIALECTS.join(' or ')}${to === undefined ? '' : `, not \`${to}\``}`)
  const logins = Object.fromEntries(login.map(pair))
  const given = await read(file)
  const context = await contextOf(values, file)
  const found = inFile(file, () => policy.translate(given, context, { to, logins }))
  process.stdout.write(json ? `${JSON.stringify({ version: VERSION, ...found }, null, 2)}\n` : found.text)
  if (!json) for (const line of linesOf(found, file, given)) process.stderr.write(`${oneLine(line)}\n`)
  return found.lost.length > 0 || found.sameAccess === false ? 1 : 0
}

/** `HERE=THERE` as a pair. */
function pair(given) {
  const at = given.indexOf('=')
  if (at < 1 || at === given.length - 1) throw new Failure(`--login takes HERE=THERE, not \`${given}\``)
  return [given.slice(0, at), given.slice(at + 1)]
}

function linesOf({ lost, sameAccess }, file, given) {
  const place = ({ pointer }) => {
    const at = hujson.find(given, pointer)?.line
    return `${file}:${at === undefined ? '' : `${at}:`}`
  }
  const same = { true: 'the devices have the same access and logins', false: 'the devices do not have the same access or logins' }
  return [...lost.map((one) => `${place(one)} ${one.what}: ${one.why}`), ...(sameAccess === null ? [] : [same[sameAccess]])]
}
