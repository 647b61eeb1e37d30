// The action: which revision a policy is compared with, the arguments of the command that lies beside this file, the outputs, and the comment of a
// pull request. It needs nothing but Node and git. Must not live here: what is found, and how it is told, which the command knows.
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const COMMAND = fileURLToPath(new URL('tailnet-kit.mjs', import.meta.url))
/** What a comment of this action begins with. */
const MARK = '<!-- tailnet-kit -->'
const ALLOWING = 'allow-guard-change'

const { GITHUB_EVENT_NAME, GITHUB_EVENT_PATH, GITHUB_BASE_REF, GITHUB_REF, GITHUB_REPOSITORY, GITHUB_SHA, GITHUB_API_URL, GITHUB_OUTPUT, RUNNER_TEMP } =
  process.env
const event = GITHUB_EVENT_PATH ? JSON.parse(readFileSync(GITHUB_EVENT_PATH, 'utf8')) : {}
const input = (name) => (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim()
const isOn = (name) => input(name) === 'true'

/** What ends the action before there is a review: an annotation that says what to do. */
class Stop extends Error {
  constructor(message, advice) {
    super(message)
    this.advice = advice
  }
}

const escaped = (text) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** Variables that the command gets: the token, and the other inputs, are for this file alone. */
const forOthers = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('INPUT_')))

function git(...args) {
  const { status, error, stderr } = spawnSync('git', args, { env: forOthers, encoding: 'utf8' })
  return { ok: status === 0, said: (error?.message ?? stderr).trim().split('\n')[0] }
}

/** An answer of GitHub's API, as JSON where there is any. Rejects where it refuses. */
async function api(path, { method = 'GET', body } = {}) {
  const headers = { authorization: `Bearer ${input('token')}`, accept: 'application/vnd.github+json', 'content-type': 'application/json' }
  const answer = await fetch(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/${path}`, { method, headers, body: body && JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`)
  return answer.json()
}

/** Brings a branch of the origin here, and returns the name of its last commit. */
function branch(name) {
  const { ok, said } = git('fetch', '--quiet', '--depth=1', 'origin', `+refs/heads/${name}:refs/remotes/origin/${name}`)
  if (!ok)
    throw new Stop(`the branch ${name} cannot be fetched, so its guard is unknown: ${said}`, 'check out with actions/checkout, or name a revision as `base`')
  return `origin/${name}`
}

/** Brings a commit here, if it is not. */
function commit(hash) {
  if (git('cat-file', '-e', `${hash}^{commit}`).ok || git('fetch', '--quiet', '--depth=1', 'origin', hash).ok) return hash
  throw new Stop(`what was there before this push (${hash}) cannot be fetched, so its guard is unknown`, 'name a revision as `base`')
}

/**
 * The revision whose policy and guard count too: the one given; of a pull request the branch that it goes to, of a push and of a merge queue what
 * is replaced, and of a new branch, which replaces nothing, the default branch. Undefined on that branch itself, where nothing is compared.
 */
function baseOf() {
  if (input('base')) return input('base')
  if (GITHUB_BASE_REF) return branch(GITHUB_BASE_REF)
  if (event.merge_group) return commit(event.merge_group.base_sha)
  if (/[^0]/.test(event.before ?? '')) return commit(event.before)
  const main = event.repository?.default_branch
  return main && GITHUB_REF?.startsWith('refs/heads/') && GITHUB_REF !== `refs/heads/${main}` ? branch(main) : undefined
}

/** Whether the guard may change: by input, or by a label of the pull request, of the one that a merge queue tries, or of the merged one that a push brings. */
async function mayChangeGuard() {
  const isLabelled = ({ labels }) => labels.some(({ name }) => name === ALLOWING)
  if (isOn(ALLOWING)) return true
  if (event.pull_request) return isLabelled(event.pull_request)
  if (event.merge_group) {
    // GitHub names the branch of a queue after the pull request.
    const [, number] = /^refs\/heads\/gh-readonly-queue\/.+\/pr-(\d+)-[^/]+$/.exec(event.merge_group.head_ref) ?? []
    return number !== undefined && isLabelled(await api(`pulls/${number}`).catch(() => ({ labels: [] })))
  }
  if (GITHUB_EVENT_NAME !== 'push') return false
  const merged = await api(`commits/${GITHUB_SHA}/pulls`).catch(() => [])
  return merged.some((one) => one.merged_at && isLabelled(one))
}

/** Whether policy, guard or devices differ from the base; where git cannot say, they may. */
function isTouched(base) {
  const policy = input('policy')
  const folder = existsSync(policy) && statSync(policy).isDirectory() ? policy : dirname(policy)
  const files = [policy, input('guard') || join(folder, 'tailnet.guard.hujson'), input('devices')].filter(Boolean)
  return !git('diff', '--quiet', base, '--', ...files).ok
}

/** Judges the policy by the command, whose words go to the log as they are, and resolves to its exit code and its reports, empty where it had none. */
function judged(args) {
  const files = Object.fromEntries(['json', 'sarif', 'markdown'].map((format) => [format, join(RUNNER_TEMP, `tailnet-kit.${format}`)]))
  const reports = Object.entries(files).flatMap(([format, file]) => ['--report', `${format}=${file}`])
  const { status, error } = spawnSync(process.execPath, [COMMAND, ...args, ...reports, '--', input('policy')], { env: forOthers, stdio: 'inherit' })
  if (error) throw error
  const isThere = status === 0 || status === 1
  return { code: status ?? 2, sarif: isThere ? files.sarif : undefined, ...(isThere && { json: JSON.parse(read(files.json)), markdown: read(files.markdown) }) }
}

const read = (file) => readFileSync(file, 'utf8')

function output(values) {
  if (GITHUB_OUTPUT)
    appendFileSync(
      GITHUB_OUTPUT,
      Object.entries(values)
        .map(([name, value]) => `${name}=${value ?? ''}\n`)
        .join(''),
    )
}

/** How many findings of a review have each of these codes. */
const counts = (json) =>
  Object.fromEntries(
    ['gained', 'lost', 'undecided'].map((code) => [code, json?.command === 'review' ? json.issues.filter((one) => one.code === code).length : undefined]),
  )

/** Writes the review into the one comment of the pull request. One about other things gets none, but an earlier comment is kept up to date. */
async function comment(markdown, touched) {
  const path = `issues/${event.pull_request.number}/comments`
  try {
    const own = (await api(`${path}?per_page=100`)).find(({ body }) => body?.startsWith(MARK))
    const body = { body: `${MARK}\n${markdown}` }
    if (own) await api(`issues/comments/${own.id}`, { method: 'PATCH', body })
    else if (touched) await api(path, { method: 'POST', body })
  } catch {
    // The token of a fork may not write.
    console.log('::notice::no comment could be written; the summary of the job has the review')
  }
}

async function main() {
  if (!existsSync(COMMAND))
    throw new Stop('this is the source of the action, without the command', 'use the branch that a release makes, as the README of the action shows')
  const options = ['fail-level', 'devices', 'dialect', 'max-warnings', 'guard'].flatMap((name) => (input(name) ? [`--${name}`, input(name)] : []))
  if (isOn('strict')) options.push('--strict')
  const base = baseOf()
  const review = async () => ['--base', base, '--fail-on', input('fail-on'), ...((await mayChangeGuard()) ? [`--${ALLOWING}`] : [])]
  const { code, sarif, json, markdown } = judged([base ? 'review' : 'check', ...options, ...(base ? await review() : [])])
  output({ result: ['passed', 'failed'][code] ?? 'error', ...counts(json), report: sarif })
  if (event.pull_request && base && markdown && isOn('comment')) await comment(markdown, isTouched(base))
  return code
}

try {
  process.exitCode = await main()
} catch (error) {
  const { message, advice } = error
  output({ result: 'error' })
  console.log(`::error title=tailnet-kit::${escaped([message, advice].filter(Boolean).join('\n'))}`)
  process.exitCode = 2
}
