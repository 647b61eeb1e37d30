// The command `tailnet-kit` as a child process. Must not live here: tests.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'

export const COMMAND = resolve('node_modules/tailnet-kit/bin/tailnet-kit.js')
export const KEY = 'tskey-sandbox'
export const AUTHORIZATION = `Basic ${Buffer.from(`${KEY}:`).toString('base64')}`

/** A new folder in the temporary directory, which `lib/project.mjs` deletes. */
export const folder = () => mkdtempSync(join(tmpdir(), 'tailnet-kit-'))

/** Writes a file and returns its path. */
export function file(name, content, place = folder()) {
  const path = join(place, name)
  writeFileSync(path, content)
  return path
}

/** The environment without the variables of CI services and of a user's own tailnet. */
const plain = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(GITHUB_|CI_|TAILNET_|NODE_TEST)/.test(name)))

/** Runs the command to its end, with these variables added to its environment. */
export async function run(args, input = '', { env, cwd, before = [] } = {}) {
  const child = spawn(process.execPath, [...before, COMMAND, ...args], { cwd, env: { ...plain, ...env } })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, out, err }
}

/** Starts `tailnet-kit sandbox` on a free port; resolves once it listens. */
export const serve = (...args) => started(process.execPath, [COMMAND, 'sandbox', '--port', '0', ...args])

/** The same where no file may be longer than this many blocks, of 512 or 1024 bytes. */
serve.limited = (blocks, ...args) => started('sh', ['-c', `ulimit -f ${blocks}; exec "$0" "$@"`, process.execPath, COMMAND, 'sandbox', '--port', '0', ...args])

async function started(program, given) {
  const child = spawn(program, given)
  const closed = once(child, 'close')
  let err = ''
  child.stderr.setEncoding('utf8').on('data', (chunk) => (err += chunk))
  let out = ''
  child.stdout.setEncoding('utf8')
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      out += chunk
      if (out.split('\n').length > 2) resolve()
    })
    closed.then(([code]) => reject(new Error(`the command ended with ${code}: ${err}`)))
  })
  const [base, curl] = out.split('\n')
  const kill = async (signal) => {
    child.kill(signal)
    const [code, by] = await closed
    return { code, signal: by, err }
  }
  const call = (method, path, { body, headers } = {}) => fetch(`${base}${path}`, { method, body, headers: { authorization: AUTHORIZATION, ...headers } })
  return { base, curl, call, kill, said: () => ({ out, err }), port: Number(new URL(base).port) }
}

/** Sends bytes as they are; `answer` resolves to everything that came back until the other side closed. */
export function raw(port, bytes) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(bytes)
  const chunks = []
  socket.on('data', (chunk) => chunks.push(chunk))
  const answer = once(socket, 'close').then(() => Buffer.concat(chunks).toString())
  return { socket, answer }
}

/** Whether anyone still listens on the port. */
export async function connects(port) {
  const socket = connect(port, '127.0.0.1')
  const open = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)]).catch(() => false)
  socket.destroy()
  return open
}
