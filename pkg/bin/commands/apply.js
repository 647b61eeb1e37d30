// `tailnet-kit apply`: makes a file the policy of a service. Must not live here: the service, verdicts.
import { readFile } from 'node:fs/promises'
import { hujson, isTailnetError, policy } from 'tailnet-kit'
import { DEVICES, KEYS, SERVICE } from '../arguments.js'
import { Failure } from '../failure.js'
import { oneLine } from '../one-line.js'
import { expect, read, write } from '../files.js'
import text from '../formats/text.js'
import { ofIssue, report } from '../report.js'
import { Changed, etagFile, serving } from '../service.js'

export const usage = 'FILE [--devices FILE] [--base-url URL] [--tailnet NAME] [--dialect NAME]'
export const says = `Makes FILE the policy of a service, unless the service would refuse it or somebody changed the policy meanwhile: it is sent
with \`If-Match\` and the ETag in FILE.etag, if \`pull\` wrote one, else the present ETag. Without an ETag
nothing is sent. If only the layout differs, nothing is sent either. FILE may be '-'. A policy of Headscale is judged with the
users and nodes that the server lists, unless --devices names others; FILE.etag then holds the SHA-256 of the text.

${KEYS}`
export const options = { ...SERVICE, ...DEVICES }
export const exits = {
  0: 'the service has it',
  1: 'the policy would be refused, or somebody changed it meanwhile; nothing was written',
  2: 'wrong usage, no ETag, or a service that cannot be reached',
}
export const examples = ['npx --no tailnet-kit apply policy.hujson', 'npx --no tailnet-kit apply policy.hujson --tailnet example.com --devices devices.json']

export async function run(values, files) {
  expect(files, 'FILE')
  const [file] = files
  const acl = await read(file)
  const { service, context } = await serving(values, file, acl)
  if (!isAccepted(file, acl, context)) return 1
  const present = await service.get()
  const ifMatch = (await keptTag(file)) ?? present.etag
  if (!ifMatch) throw new Failure('the service gave no ETag, so the write would not be safe; nothing was written')
  if (ifMatch === present.etag && canonical(present.text) === hujson.format(acl)) return said('the service has this policy already', 0)
  try {
    const { etag } = await service.set(acl, { ifMatch })
    if (etag && (await keptTag(file)) !== undefined) await write(etagFile(file), `${etag}\n`)
    return said('applied', 0)
  } catch (error) {
    if (error instanceof Changed || isTailnetError(error, 'precondition_failed') || isTailnetError(error, 'conflict'))
      return said('somebody changed the policy meanwhile, so nothing was written; pull it, and apply again', 1)
    if (isTailnetError(error, 'bad_request')) return refused(error)
    throw error
  }
}

/** Whether the service would accept the policy; prints its errors otherwise. */
function isAccepted(file, acl, context) {
  const { accepted, message, issues } = policy.check(acl, context)
  const findings = issues.filter(({ severity }) => severity === 'error').map(ofIssue(file))
  if (!accepted) process.stdout.write(text(report('apply', { sources: new Map([[file, acl]]), findings, verdict: [`refused: ${message}`] }), { failed: true }))
  return accepted
}

/** Says why the service refuses a policy: a line for each test. */
function refused({ message, details }) {
  said(`refused: ${message}`, 1)
  for (const { user, errors } of details) said(`  ${user ? `${user}: ` : ''}${errors.join('; ')}`, 1)
  return 1
}

/** The service's policy in canonical layout; undefined where it is not HuJSON. */
const canonical = (held) => (hujson.tryParse(held).ok ? hujson.format(held) : undefined)

async function keptTag(file) {
  if (file === '-') return undefined
  const kept = await readFile(etagFile(file), 'utf8').catch(() => '')
  return kept.trim() || undefined
}

function said(words, code) {
  process.stdout.write(`${oneLine(words)}\n`)
  return code
}
