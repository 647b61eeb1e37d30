// `tailnet-kit sandbox`: the service over HTTP, on this machine unless `--host` says otherwise.
// Lives here: options, where it listens, how it stops. Must not live here: HTTP, the state file (`../sandbox`), the service.
import { isIP } from 'node:net'
import { send } from '../../common/deliveries.js'
import { visitors } from '../../common/visitors.js'
import { HeadscaleService, Service } from '../../esm/node/service.js'
import { remembering } from '../sandbox/answers.js'
import { Changes, replayed } from '../sandbox/changes.js'
import { flag, text, texts, written } from '../arguments.js'
import { Failure } from '../failure.js'
import { serverOf } from '../sandbox/http.js'
import { StateFile } from '../sandbox/store.js'

export const usage = '[--port 8080] [--host 127.0.0.1] [--tailnet NAME]... [--state FILE] [--headscale [--errors 0.29]] [--allow-origin ORIGIN]...'
export const says = `Serves the whole service over HTTP, by default on this machine only, until it is interrupted. Prints its base URL
and a curl line. It answers only under loopback names and to loopback pages, and those that the options admit.
With --headscale it is Headscale's own API, of one server that is new at each start.`
export const options = {
  port: text('PORT', '8080 by default; 0 takes a free one'),
  host: text('HOST', 'the address to listen on; 127.0.0.1 by default'),
  tailnet: texts('NAME', 'a tailnet to serve; the first is that of the key'),
  'api-key': text('KEY', "the sandbox's own key, which opens nothing else; tskey-sandbox by default, of Headscale hskey-api-sandbox-secret"),
  state: text('FILE', 'read at the start; each change is written to it before it is answered'),
  headscale: flag('serves Headscale, its API /api/v1 as of 0.30'),
  errors: text('RELEASE', 'in the form of which release Headscale refuses: 0.29 or 0.30, which is the default'),
  'allow-origin': texts('ORIGIN', 'the origin of pages that may read and change'),
  'allow-host': texts('HOST', 'a host name under which it answers'),
}
export const exits = { 0: 'it was stopped', 2: 'wrong usage, an unavailable port, or an invalid state' }
export const examples = ['npx --no tailnet-kit sandbox --port 0 --state state.json --tailnet example.com', 'npx --no tailnet-kit sandbox --headscale']

/** The options by the kit's names for what they say. */
const NAMES = { origins: '--allow-origin', hosts: '--allow-host', tailnet: '--tailnet', apiKey: '--api-key' }

/** Milliseconds that running requests get to finish after a signal. */
const GRACE = 10_000

/** Serves until SIGTERM or SIGINT, then finishes what is running; resolves to the exit code. */
export async function run(options, positionals) {
  const { port, host } = placeOf(options, positionals)
  const rules = written(NAMES, () => visitors({ origins: options['allow-origin'], hosts: [...(options['allow-host'] ?? []), ...inURL(host)] }))
  const { service, curl, end } = options.headscale ? headscale(options) : await tailnets(options)
  const server = serverOf(service, rules)
  await listening(server, port, host)
  const ended = stopped(server)
  announce(server.address(), curl)
  await ended
  await end()
  return 0
}

/** The service of all tailnets: how it reads and changes, the curl line below its base URL, and how it ends. */
async function tailnets(options) {
  if (options.errors !== undefined) throw new Failure('--errors is of Headscale: add --headscale')
  const apiKey = options['api-key'] ?? 'tskey-sandbox'
  const file = options.state === undefined ? undefined : new StateFile(options.state)
  const { service, tailnet } = await serviceOf(options, apiKey, file)
  const changes = file && new Changes(service, file, { tailnet, apiKey })
  const told = (answer) => {
    for (const delivery of service.deliveries()) send(delivery)
    return answer
  }
  const change = (request) => {
    const answer = changes ? changes.change(request) : service.answer(request, Date.now())
    return answer instanceof Promise ? answer.then(told) : told(answer)
  }
  const curl = (base) => `curl -u ${quoted(`${apiKey}:`)} ${quoted(`${base}/api/v2/tailnet/${segment(tailnet[0])}/devices`)}`
  return { service: { read: remembering(service), change }, curl, end: () => changes?.end() }
}

/** The same of Headscale, which keeps nothing. */
function headscale(options) {
  const foreign = ['tailnet', 'state'].find((name) => options[name] !== undefined)
  if (foreign) throw new Failure(`--${foreign} is not of Headscale: leave it or --headscale out`)
  if (![undefined, '0.29', '0.30'].includes(options.errors)) throw new Failure(`--errors takes 0.29 or 0.30, not \`${options.errors}\``)
  const service = written(NAMES, () => new HeadscaleService({ apiKey: options['api-key'], errors: options.errors }, Date.now()))
  const curl = (base) => `curl -H ${quoted(`Authorization: Bearer ${service.apiKey}`)} ${quoted(`${base}/api/v1/node`)}`
  const change = (request) => service.answer(request, Date.now())
  return { service: { read: remembering(service), change }, curl, end: async () => {} }
}

function placeOf({ port = '8080', host = '127.0.0.1' }, positionals) {
  if (positionals.length > 0) throw new Failure(`unexpected argument \`${positionals[0]}\``)
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535) {
    throw new Failure(`--port takes a number from 0 to 65535, not \`${port}\`; to listen elsewhere than on 127.0.0.1 use --host`)
  }
  if (host === '') throw new Failure('--host takes an address or a name')
  return { port: Number(port), host }
}

/** The host that it listens on, in a list, as requests name it; an empty list where no URL can name it. */
function inURL(host) {
  const url = `http://${isIP(host) === 6 ? `[${host}]` : host}`
  return URL.canParse(url) ? [new URL(url).host] : []
}

/** The service. The state file wins over the defaults; `--tailnet` adds tailnets that the file lacks, and the first one is the key's own. */
async function serviceOf(options, apiKey, file) {
  const held = await file?.load()
  try {
    const state = held && replayed(held, apiKey)
    const wanted = [...new Set([...(options.tailnet ?? []), ...Object.keys(state?.tailnets ?? {})])]
    const named = wanted.length > 0 ? { tailnet: wanted } : {}
    const service = written(NAMES, () => new Service({ ...named, apiKey, ...(state === undefined ? {} : { state }) }, Date.now()))
    const start = service.state
    // A file that needs no change is left alone: another server may be using it.
    if (start !== JSON.stringify(state)) await file?.replace([start])
    return { service, tailnet: wanted.length > 0 ? wanted : Object.keys(JSON.parse(start).tailnets) }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(file ? `${options.state}: ${error.message}` : error.message)
  }
}

function listening(server, port, host) {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new Failure(whyNot(error, port, host))))
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      server.on('error', (error) => process.stderr.write(`${error.message}\n`))
      resolve()
    })
  })
}

function whyNot(error, port, host) {
  const reasons = {
    EADDRINUSE: `port ${port} is already in use on ${host}; --port 0 takes a free one`,
    EACCES: `port ${port} needs more rights than this user has; choose one above 1023`,
    EADDRNOTAVAIL: `${host} is not an address of this machine`,
    ENOTFOUND: `${host} is not a known host`,
  }
  return reasons[error.code] ?? `cannot listen on ${host} port ${port}: ${error.message}`
}

const isLoopback = (address) => address === '::1' || /^(::ffff:)?127\./.test(address)

function announce({ address, port }, curl) {
  const base = `http://${isIP(address) === 6 ? `[${address}]` : address}:${port}`
  const lines = [base, curl(base), ...(isLoopback(address) ? [] : ['this address can be reached from other machines by anyone with the key'])]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** The name as one part of a path, where `@` needs no encoding. */
const segment = (name) => encodeURIComponent(name).replaceAll('%40', '@')

/** The text as one word of a POSIX shell. */
const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/** Resolves after a signal, once every running request is answered, or GRACE milliseconds later at the latest. */
function stopped(server) {
  return new Promise((resolve) => {
    const stop = () => {
      const late = setTimeout(() => server.closeAllConnections(), GRACE)
      const idle = setInterval(() => server.closeIdleConnections(), 50)
      server.close(() => {
        clearTimeout(late)
        clearInterval(idle)
        resolve()
      })
    }
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
  })
}
