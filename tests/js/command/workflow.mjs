// Runs the action as GitHub's runner does: inputs with their defaults and the event in variables and a file, outputs read from a file; and answers
// its calls as GitHub's API. Must not live here: what is asserted.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { folder } from '../command.mjs'
import { REPOSITORY, git, tool } from './tools.mjs'

/** The folder that a release makes of the installed package. */
export const ACTION = join(folder(), 'action')
execFileSync(process.execPath, [join(REPOSITORY, 'pkg/scripts/action.mjs'), resolve('node_modules/tailnet-kit'), ACTION])
const action = tool('yaml').parse(readFileSync(join(ACTION, 'action.yml'), 'utf8'))

/**
 * GitHub's API for one pull request, 7: `comments` and `labels` are its own, `pulls` the pull requests of a commit, with `isReadonly` nothing may be
 * written; `calls` are the calls so far.
 */
async function github() {
  const state = { comments: [], labels: [], pulls: [], isReadonly: false, calls: [] }
  const server = createServer(async (request, answer) => {
    const { method, url, headers } = request
    const body = await text(request)
    state.calls.push(`${method} ${url}`)
    if (headers.authorization !== 'Bearer t0ken') return answer.writeHead(401).end('{}')
    if (method !== 'GET' && state.isReadonly) return answer.writeHead(403).end('{}')
    if (method === 'POST') state.comments.push({ id: 42, body: JSON.parse(body).body })
    if (method === 'PATCH') state.comments.find(({ id }) => url.endsWith(`/${id}`)).body = JSON.parse(body).body
    const asked = url.includes('/commits/') ? state.pulls : url.endsWith('/pulls/7') ? { labels: state.labels } : state.comments
    answer.end(JSON.stringify(method === 'GET' ? asked : {}))
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  return Object.assign(state, { address: `http://127.0.0.1:${server.address().port}` })
}

/**
 * A repository with an origin whose `main` has these files and what `more(folder)` puts beside them, checked out as for a pull request, the folder of
 * a runner, and GitHub's API.
 */
export async function cloned(files, more = () => {}) {
  const place = folder()
  const [origin, work, temp] = ['origin', 'work', 'temp'].map((name) => join(place, name))
  for (const path of [origin, temp]) mkdirSync(path)
  git(origin, 'init', '-q')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(origin, name), text)
  more(origin)
  git(origin, 'add', '.')
  git(origin, 'commit', '-qm', 'start')
  git(place, 'clone', '-q', '--depth=1', `file://${origin}`, 'work')
  git(work, 'checkout', '-q', '-b', 'change')
  const api = await github()
  const kept = Object.entries(process.env).filter(([name]) => !/^(GITHUB_|CI_|TAILNET_|NODE_TEST)/.test(name))
  const env = {
    ...Object.fromEntries(kept),
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: api.address,
    GITHUB_WORKSPACE: work,
    GITHUB_REPOSITORY: 'a/b',
    GITHUB_SHA: 'ab12',
    GITHUB_STEP_SUMMARY: join(temp, 'summary.md'),
  }
  return { work, temp, env, api }
}

/** The action for a push, or what else is not about a pull request; `from` is the folder of the action. */
export const pushed = ({ work, temp, env }, { name = 'push', ref = 'refs/heads/main', ...event } = {}, inputs = {}, from = ACTION) =>
  perform({ inputs, name, event: { ...event, repository: { default_branch: 'main' } }, env: { ...env, GITHUB_REF: ref }, cwd: work, temp, from })

/** The action for pull request 7 to `main`, with these labels. */
export const requested = ({ work, temp, env }, inputs = {}, labels = []) =>
  perform({
    inputs,
    name: 'pull_request',
    event: { pull_request: { number: 7, labels: labels.map((name) => ({ name })) } },
    env: { ...env, GITHUB_BASE_REF: 'main' },
    cwd: work,
    temp,
  })

/** `{code, out, outputs}` of the action for an event; `env` is the environment of the runner, `temp` its folder. */
async function perform({ inputs, name, event, env, cwd, temp, from = ACTION }) {
  const given = Object.entries(action.inputs).map(([input, { default: value }]) => [`INPUT_${input.toUpperCase()}`, String(inputs[input] ?? filled(value))])
  const [payload, written] = [join(temp, 'event.json'), join(temp, 'output')]
  writeFileSync(payload, JSON.stringify(event))
  rmSync(written, { force: true })
  const variables = { ...env, ...Object.fromEntries(given), GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: payload, GITHUB_OUTPUT: written, RUNNER_TEMP: temp }
  const child = spawn(process.execPath, [join(from, action.runs.main)], { cwd, env: variables })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const lines = existsSync(written) ? readFileSync(written, 'utf8').trimEnd().split('\n') : []
  return { code, out: out + err, outputs: Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2))) }
}

const filled = (value) => (value === `\${{ github.token }}` ? 't0ken' : value)
