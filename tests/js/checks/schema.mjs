// The JSON Schemas of the policy file in a strict validator. They accept every policy that the service accepts, and refuse nine of ten
// of those that it refuses for their shape. Must not live here: the schemas, the policies.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv'
import Ajv2020 from 'ajv/dist/2020.js'
import { documents } from '../lib/documents.mjs'
import { project } from '../lib/project.mjs'

/** Messages about the shape of a single value: not about names, other entries, or the tailnet. */
const SHAPE = [
  /^action=".*" is not supported$/,
  /is not a valid action$/,
  /^action must be specified$/,
  /^users must be specified$/,
  /^user ".*" is not valid$/,
  /port range ".*": /,
  /not valid on the src side/,
  /^ip and app can not both be empty$/,
  /^capability name must /,
  /^cannot use autogroup:danger-all as a dst$/,
  /: to allow all IP addresses, use /,
  /tag names must start with a letter/,
  /group members cannot be recursive/,
]
/** Wrong policies written by hand, with one mistake each. */
const WRONG = [
  '{"acl": []}',
  '{"acls": {}}',
  '{"acls": [{"action": "accept", "source": []}]}',
  '{"acls": [{"action": "accept", "src": "*", "dst": ["*:*"]}]}',
  '{"groups": {"dev": []}}',
  '{"grants": [{"src": ["*"], "dst": ["*"], "ip": ["*"], "via": ["group:x"]}]}',
  '{"hosts": {"a@b": "10.0.0.1"}}',
  '{"disableIPv4": "yes"}',
  '[]',
]
const OPTIONS = { strict: true, strictTypes: false, allowMatchingProperties: true }
const RIGHT = [
  '{}',
  '{"ACLs": [{"Action": "accept", "Users": [" a@b.c"], "Ports": ["*:*"]}]}',
  '{"acls": null, "ssh": [{"action": " check", "src": null, "users": ["root"], "checkPeriod": null}]}',
]

export default async ({ tarball }) => {
  const drafts = await schemas(tarball)
  for (const accepts of drafts) {
    for (const text of RIGHT) if (!accepts(JSON.parse(text))) throw new Error(`${text}: ${JSON.stringify(accepts.errors)}`)
    for (const text of WRONG) if (accepts(JSON.parse(text))) throw new Error(`${text} is accepted`)
  }
  const { hujson } = await import(join(await project(tarball), 'node_modules/tailnet-kit/index.js'))
  const read = documents().map(({ title, text, message, dialect }) => ({ id: title, message, dialect, ...hujson.tryParse(text) }))
  const policies = read.filter(({ ok }) => ok).map(({ id, message, dialect, value }) => ({ id, message, dialect, policy: value }))
  const [own, headscales] = [policies.filter(({ dialect }) => !dialect), policies.filter(({ dialect }) => dialect)]
  return [...drafts.map((accepts) => judged(accepts, own)), taken(await schemaOfHeadscale(tarball), headscales)].join('; ')
}

/** The schema of Headscale's language, likewise. */
async function schemaOfHeadscale(tarball) {
  const dir = await project(tarball)
  const text = readFileSync(join(dir, 'node_modules/tailnet-kit/policy.schema.headscale.json'), 'utf8')
  return new Ajv(OPTIONS).compile(JSON.parse(text))
}

/** The schemas of the package, each as a function that says whether a policy has its shape. */
export async function schemas(tarball) {
  const dir = await project(tarball)
  const read = (name) => JSON.parse(readFileSync(join(dir, 'node_modules/tailnet-kit', name), 'utf8'))
  return [new Ajv2020(OPTIONS).compile(read('policy.schema.json')), new Ajv(OPTIONS).compile(read('policy.schema.draft-07.json'))]
}

/** Compares a schema with the service, whose `message` says why it refused a policy. */
export function judged(accepts, policies) {
  const refused = policies.filter(({ message = '' }) => SHAPE.some((words) => words.test(message)))
  const missed = refused.filter(({ policy }) => accepts(policy)).map(({ id }) => id)
  if (missed.length * 10 > refused.length) throw new Error(`of ${refused.length} refused for their shape these are accepted: ${missed.join(', ')}`)
  return `${taken(accepts, policies)}, ${refused.length - missed.length} of ${refused.length} refused`
}

/** Throws where a schema refuses what the service takes. */
function taken(accepts, policies) {
  const right = policies.filter(({ message }) => message === undefined)
  for (const { id, policy } of right) if (!accepts(policy)) throw new Error(`${id}: ${JSON.stringify(accepts.errors)}`)
  return `${right.length} taken`
}
