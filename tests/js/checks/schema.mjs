// The JSON Schemas of the policy file in a strict validator. They accept every policy that the service accepted, and refuse nine of ten
// of those that it refused for their shape. Must not live here: the schemas.

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv'
import Ajv2020 from 'ajv/dist/2020.js'
import { HERE, project } from '../lib/project.mjs'

const CORPUS = join(HERE, '../../../shared/policy-corpus')
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
const RIGHT = [
  '{}',
  '{"ACLs": [{"Action": "accept", "Users": [" a@b.c"], "Ports": ["*:*"]}]}',
  '{"acls": null, "ssh": [{"action": " check", "src": null, "users": ["root"], "checkPeriod": null}]}',
]

export default async ({ tarball }) => {
  const dir = await project(tarball)
  const read = (name) => JSON.parse(readFileSync(join(dir, 'node_modules/tailnet-kit', name), 'utf8'))
  const options = { strict: true, strictTypes: false, allowMatchingProperties: true }
  const drafts = [new Ajv2020(options).compile(read('policy.schema.json')), new Ajv(options).compile(read('policy.schema.draft-07.json'))]
  const notes = []
  for (const accepts of drafts) {
    for (const text of RIGHT) if (!accepts(JSON.parse(text))) throw new Error(`${text}: ${JSON.stringify(accepts.errors)}`)
    for (const text of WRONG) if (accepts(JSON.parse(text))) throw new Error(`${text} is accepted`)
    notes.push(recorded(accepts))
  }
  return notes.join('; ')
}

function recorded(accepts) {
  if (!existsSync(CORPUS)) return 'no recordings here'
  const recordings = readdirSync(CORPUS)
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) =>
      readFileSync(join(CORPUS, file), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    )
  const taken = recordings.filter(({ accepted }) => accepted)
  for (const { id, policy } of taken) if (!accepts(JSON.parse(policy))) throw new Error(`${id}: ${JSON.stringify(accepts.errors)}`)
  const refused = recordings.filter(({ accepted, message }) => !accepted && SHAPE.some((words) => words.test(message)))
  const missed = refused.filter(({ policy }) => accepts(JSON.parse(policy))).map(({ id }) => id)
  if (missed.length * 10 > refused.length) throw new Error(`of ${refused.length} refused for their shape these are accepted: ${missed.join(', ')}`)
  return `${taken.length} taken, ${refused.length - missed.length} of ${refused.length} refused`
}
