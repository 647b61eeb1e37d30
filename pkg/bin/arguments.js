// The arguments of a command: what parseArgs reads, the options that several commands share, and the page that --help shows.
// Must not live here: what a command does, its own options.
import { parseArgs } from 'node:util'
import { Failure } from './failure.js'
import { meant } from './nearest.js'

const option = (type, value, says, more) => ({ type, value, says, ...more })

/** An option with a value, one that may be given several times, and one without a value. */
export const text = (value, says) => option('string', value, says)
export const texts = (value, says) => option('string', value, says, { multiple: true })
export const flag = (says) => option('boolean', '', says)

const LANGUAGE = 'tailscale or headscale: whose language policies are in; by default headscale for *.headscale.hujson, else as their first line says'

/** Where devices are known, more can be decided. */
export const DEVICES = {
  devices: text(
    'FILE',
    'devices and users of the tailnet, as JSON: a list of devices, or {devices, users, domains, groups, attributes}; of Headscale {nodes, users} as its API lists them, or the nodes that its command prints',
  ),
  dialect: text('NAME', LANGUAGE),
}

/** Options of commands that answer a question. */
export const ANSWERING = { json: flag('the whole answer as JSON') }

/** Options of commands that judge. */
export const JUDGING = {
  format: text('FORMAT', 'text, json, github, gitlab, sarif, junit or markdown; text by default, github if GITHUB_ACTIONS=true'),
  json: flag('the same as --format json'),
  report: texts('FORMAT=FILE', 'writes the report to a file, too, in this format; may be given several times'),
  'fail-level': text('LEVEL', 'error or warning: the lowest level that gives exit code 1; error by default'),
  'max-warnings': text('N', 'exit code 1 also for more warnings than this'),
  watch: flag('run again whenever one of the files changes'),
}

/** Options of commands that call a service. */
export const SERVICE = {
  dialect: text(
    'NAME',
    'headscale for a server of Headscale, tailscale for any other; by default headscale for *.headscale.hujson, else as the first line of the file says',
  ),
  'base-url': text('URL', 'the service; TAILNET_BASE_URL by default'),
  tailnet: text('NAME', "TAILNET_NAME by default, or '-', the key's own"),
}

/** What `--help` says of keys. */
export const KEYS = `Keys come from the environment only, as others on the machine can read arguments: TAILNET_API_KEY; or
TAILNET_OAUTH_CLIENT_ID with TAILNET_OAUTH_CLIENT_SECRET or, for a federated identity, TAILNET_ID_TOKEN. A server of
Headscale takes TAILNET_API_KEY.`

/** `{values, positionals}`. Throws a Failure for arguments that are not valid. */
export function parsed(args, options) {
  const read = Object.entries(options).map(([name, { type }]) => [name, { type, multiple: true }])
  try {
    const { values, positionals } = parseArgs({ args, options: { ...Object.fromEntries(read), help: { type: 'boolean', short: 'h' } }, allowPositionals: true })
    const given = Object.entries(values).map(([name, all]) => [name, options[name] && !options[name].multiple ? only(name, all) : all])
    return { values: Object.fromEntries(given), positionals }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? unknown(error.message, Object.keys(options)) : error.message.split(/\. |\n/)[0])
  }
}

/** The value of an option that takes one: of several none is dropped in silence. */
function only(name, all) {
  if (new Set(all).size > 1) throw new Failure(`\`--${name}\` takes one value, not ${all.map((value) => `\`${value}\``).join(' and ')}`)
  return all[0]
}

/** The result of `run`; where the kit refuses an argument by its own name, the message names what the user wrote, which is `names[its name]`. */
export function written(names, run) {
  try {
    return run()
  } catch (error) {
    const [own, name] = /^`(\w+)`/.exec(error?.message) ?? []
    if (error?.code !== 'invalid_argument' || !Object.hasOwn(names, name)) throw error
    throw new Failure(`${names[name]}${error.message.slice(own.length)}`)
  }
}

/** What is wrong with an option that the command does not have, and which one may be meant. */
function unknown(message, names) {
  const [, dashes, asked] = /'(--?)([^']*)'/.exec(message) ?? ['', '', message]
  return `unknown option \`${dashes}${asked}\`${meant(asked, names, (name) => `--${name}`)}`
}

/** The page of a command: what it does, its options, exit codes and examples. */
export function page(name, { usage, says, options, exits, examples }) {
  const terms = Object.entries(options).map(([option, { value, says }]) => [`--${option}${value && ` ${value}`}`, says])
  const codes = Object.entries({ ...exits, 2: exits[2] ?? 'wrong usage, or a file that cannot be read' })
  const blocks = [
    `usage: tailnet-kit ${name} ${usage}`.trimEnd(),
    says,
    ...(terms.length > 0 ? [`Options:\n${columns(terms)}`] : []),
    `Exit codes:\n${columns(codes)}`,
    `Examples:\n${examples.map((example) => `  ${example}`).join('\n')}`,
  ]
  return `${blocks.join('\n\n')}\n`
}

/** Two columns, the first as wide as its widest entry. */
export function columns(rows) {
  const width = Math.max(...rows.map(([term]) => term.length))
  return rows.map(([term, says]) => `  ${term.padEnd(width)}  ${says}`).join('\n')
}
