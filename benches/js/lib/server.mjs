// `tailnet-kit sandbox` over HTTP beside a bare `node:http` that answers the same bytes, each in a process of its own; Node only.
// Must not live here: how candidates take turns.
//
// Run as a program, `node server.mjs FILE`, it is the bare server: JSON with `headers` and `body` in FILE is its every answer.

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sideBySide } from './measure.mjs'
import { devices, policy } from './policies.mjs'

const HERE = fileURLToPath(import.meta.url)
const COMMAND = fileURLToPath(new URL('../../../pkg/bin/tailnet-kit.js', import.meta.url))
const AUTHORIZATION = `Basic ${btoa('tskey-sandbox:')}`
const CONNECTIONS = 8
const LIST = '/api/v2/tailnet/-/devices'
const ROUTES = '/api/v2/device/10000007/routes'
const ACL = '/api/v2/tailnet/-/acl'

/** Tables of requests a second: of the bare server, of the kit, and their ratio. */
export async function server({ quick }) {
  const dir = mkdtempSync(join(tmpdir(), 'tailnet-kit-'))
  const limits = quick ? { budget: 1000, rounds: 6 } : { budget: 4000, rounds: 60 }
  const rows = []
  try {
    for (const count of quick ? [10, 1_000] : [10, 10_000]) {
      const text = policyOf(100_000)
      rows.push(await row(dir, limits, `GET devices, ${count.toLocaleString('en')}`, count, { atLeast: 0.5 }, 'GET', LIST))
      rows.push(await row(dir, limits, `POST routes, ${count.toLocaleString('en')} devices`, count, null, 'POST', ROUTES, '{"routes":["10.0.0.0/8"]}'))
      rows.push(
        await row(
          dir,
          limits,
          `POST a policy of ${text.length.toLocaleString('en')} bytes, ${count.toLocaleString('en')} devices`,
          count,
          null,
          'POST',
          ACL,
          text,
        ),
      )
    }
  } finally {
    rmSync(dir, { recursive: true })
  }
  return [
    {
      title: 'sandbox over HTTP, each change on the disk: requests a second (more is better)',
      unit: 'request',
      columns: ['node:http', 'the command', 'tailnet-kit'],
      rows,
    },
  ]
}

async function row(dir, limits, input, count, target, method, path, body = '') {
  const state = join(dir, 'state.json')
  writeFileSync(
    state,
    JSON.stringify({ tailnets: { 'example.com': { devices: devices(count), acl: '{}', dns: { nameservers: [], magicDNS: false, searchPaths: [] } } } }),
  )
  const kit = await started([COMMAND, 'sandbox', '--port', '0', '--state', state])
  const request = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${AUTHORIZATION}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  const answer = await fetch(`${kit.base}${path}`, { method, headers: { authorization: AUTHORIZATION }, body: body || undefined })
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  const file = join(dir, 'answer.json')
  writeFileSync(file, JSON.stringify({ headers: { 'content-type': answer.headers.get('content-type') }, body: await answer.text() }))
  const bare = await started([HERE, file])
  const callers = await Promise.all([kit, bare].map(({ base }) => caller(Number(new URL(base).port), request)))
  const [ours, baseline] = callers.map(({ rounds }) => rounds)
  const found = await sideBySide({ baseline, ours }, limits)
  for (const one of [...callers.map(({ end }) => end), kit.stop, bare.stop]) one()
  const each = (result) => (CONNECTIONS * 1000) / result.ms
  const results = {
    'node:http': { value: each(found.baseline) },
    'the command': { value: each(found.ours) },
    'tailnet-kit': { value: found.baseline.ms / found.ours.ms },
  }
  return { input, target, results }
}

/** A policy of about so many bytes. */
function policyOf(size) {
  let rules = 100
  while (policy(rules).length < size) rules += 20
  return policy(rules)
}

/** Starts a server that prints its base URL. */
async function started(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const said = await new Promise((resolve, reject) => {
    child.stdout.once('data', (text) => resolve(String(text)))
    child.once('close', () => reject(new Error(`${args[0]} ended`)))
  })
  return { base: said.split('\n')[0], stop: () => child.kill('SIGKILL') }
}

/**
 * Connections that cost next to nothing, as the processor is shared with what is measured: one answer is as long as the other,
 * so bytes need only be counted. `rounds` sends one request on each and waits for all.
 */
async function caller(port, request) {
  const bytes = Buffer.from(request)
  const open = async () => {
    const socket = connect(port, '127.0.0.1').setNoDelay()
    let missing = 0
    let done
    socket.on('data', (chunk) => {
      missing -= chunk.length
      if (missing === 0) done()
    })
    await new Promise((resolve) => socket.once('connect', resolve))
    return { socket, ask: (length) => new Promise((resolve) => ((missing = length), (done = resolve), socket.write(bytes))) }
  }
  const length = await answerLength(port, bytes)
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, open))
  return { rounds: () => Promise.all(sockets.map(({ ask }) => ask(length))), end: () => sockets.forEach(({ socket }) => socket.destroy()) }
}

function answerLength(port, bytes) {
  return new Promise((resolve) => {
    const chunks = []
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      const text = Buffer.concat(chunks)
      const head = text.indexOf('\r\n\r\n')
      const length = head < 0 ? Infinity : head + 4 + Number(/content-length: (\d+)/i.exec(text.subarray(0, head).toString())[1])
      if (text.length < length) return
      socket.destroy()
      resolve(length)
    })
  })
}

/** The bare server. */
function serve(file) {
  const { headers, body } = JSON.parse(readFileSync(file, 'utf8'))
  const bytes = Buffer.from(body)
  const answer = { ...headers, 'content-length': bytes.length }
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(200, answer).end(bytes))
  })
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
}

const [, program, ...args] = process.argv
if (program === HERE) serve(...args)
