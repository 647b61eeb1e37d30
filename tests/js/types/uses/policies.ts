// Policies as objects: what compiles in each dialect, and which slips do not. Must not live here: verbs, answers (`offline.ts`).

import type * as kit from 'tailnet-kit'
import { policy, type TailnetClient } from 'tailnet-kit'
import { is } from './is.mjs'

/** Of today's keys and the older ones, lists that nobody may change, and what other programs read. */
export async function whole(client: TailnetClient) {
  const acl = {
    groups: { 'group:dev': ['ann@example.com'] },
    tagOwners: { 'tag:web': [] },
    hosts: { nas: '192.168.1.5' },
    ipsets: { 'ipset:office': ['add 192.168.0.0/16'] },
    postures: { 'posture:recent': ["node:tsVersion >= '1.80'"] },
    defaultSrcPosture: ['posture:recent'],
    acls: [
      { action: 'accept', src: ['group:dev'], dst: ['tag:web:22,443'], proto: 'tcp', srcPosture: ['posture:recent'] },
      { action: 'accept', users: ['*'], ports: ['nas:80'] },
    ],
    grants: [{ src: ['*'], dst: ['tag:web'], via: ['tag:router'], ip: ['tcp:443'], app: { 'example.com/cap/view': [{ pages: ['a'] }] } }],
    ssh: [{ action: 'check', checkPeriod: '12h', src: ['group:dev'], dst: ['tag:web'], users: ['root'], enforceRecorder: true }],
    tests: [
      { src: 'ann@example.com', accept: ['tag:web:443'], srcPostureAttrs: { 'node:os': 'linux' } },
      { user: 'a', allow: ['nas:80'] },
    ],
    sshTests: [{ src: 'ann@example.com', dst: ['tag:web'], check: ['root'] }],
    nodeAttrs: [{ target: ['tag:web'], attr: ['funnel'], ipPool: null }],
    autoApprovers: { routes: { '10.0.0.0/8': ['tag:web'] }, exitNode: [], services: { 'svc:web': ['tag:web'] } },
    attrConfig: { 'custom:tier': { type: 'string', allowSetByNode: true, note: 'ours' } },
    derpMap: { Regions: { 900: { RegionID: 900, Nodes: [{ Name: '900a', HostName: 'relay.example.com' }] } } },
    disableIPv4: true,
    oneCGNATRoute: 'mac-always',
    randomizeClientPort: false,
  } as const satisfies kit.TailscalePolicy
  is<boolean>()(policy.check(acl).accepted)
  await client.acl.set(acl, { ifMatch: null })
  const other: kit.HeadscalePolicy = { groups: { 'group:dev': ['ann@'] }, acls: [{ '#ha-meta': { name: 'x' }, src: ['*'], dst: ['*:*'] }] }
  policy.check(other, { dialect: 'headscale' })
}

/** What was read can be given on, and be read with types or without. */
export async function read(client: TailnetClient) {
  const { policy: answer } = await client.acl.get({ format: 'json' })
  is<kit.ReadPolicy>()(answer)
  is<unknown>()(answer['later'])
  const known: kit.TailscalePolicy = answer
  is<readonly string[] | null | undefined>()(known.acls?.[0]?.users)
  policy.check(answer)
  policy.check(policy.toJSON('{}'))
  answer.acls?.push({ action: 'accept', src: ['*'], dst: ['*:*'] })
  await client.acl.set({ ...answer, acls: [] }, { overwrite: true })
}

export function slips(text: string) {
  // @ts-expect-error a section
  policy.check({ grant: [] })
  // @ts-expect-error a key of a rule
  policy.check({ acls: [{ action: 'accept', scr: ['*'], dst: ['*:*'] }] })
  // @ts-expect-error a rule without its action, which only Headscale takes, with a key that Headscale has not
  policy.check({ acls: [{ src: ['*'], dst: ['*:*'], srcPosture: [] }] })
  // @ts-expect-error another action than there is
  policy.check({ acls: [{ action: 'allow', src: ['*'], dst: ['*:*'] }] })
  // @ts-expect-error one string for a list
  policy.check({ grants: [{ src: '*', dst: ['*'], ip: ['*'] }] })
  // @ts-expect-error an ssh rule without accounts
  policy.check({ ssh: [{ action: 'accept', src: ['*'], dst: ['tag:web'] }] })
  // @ts-expect-error a group without its prefix
  policy.check({ groups: { dev: ['ann@example.com'] } })
  // @ts-expect-error a tag with the prefix of a group
  policy.review(text, { tagOwners: { 'group:web': [] } })
  // @ts-expect-error a key of a test
  policy.diff(text, { tests: [{ src: 'a', acept: ['b:1'] }] })
  // @ts-expect-error a section that Headscale has not
  const other: kit.HeadscalePolicy = { ipsets: {} }
  // @ts-expect-error a key that Headscale has not
  const grant: kit.HeadscaleGrant = { src: ['*'], dst: ['*'], ip: ['*'], srcPosture: [] }
  return [other, grant]
}

export function edits(text: string, section: kit.ListSection) {
  is<string>()(policy.edit.addRule(text, { src: ['*'], dst: ['*'], ip: ['443'] }))
  is<string>()(policy.edit.add(text, 'tests', { src: 'ann@example.com', deny: ['tag:web:22'] }))
  is<string>()(policy.edit.add(text, section, { target: ['*'], attr: ['funnel'] }))
  is<string>()(policy.edit.setOption(text, 'disableIPv4', null))
  is<string>()(policy.edit.setAttrConfig(text, 'custom:tier', { type: 'string' }))
  // @ts-expect-error a key of the rule
  policy.edit.addRule(text, { action: 'accept', scr: ['*'], dst: ['*:*'] })
  // @ts-expect-error a grant among tests
  policy.edit.add(text, 'tests', { src: ['*'], dst: ['*'], ip: ['443'] })
  // @ts-expect-error one string for a list
  policy.edit.replace(text, 'nodeAttrs', 0, { target: '*', attr: ['funnel'] })
  // @ts-expect-error a word for a flag
  policy.edit.setOption(text, 'randomizeClientPort', 'yes')
}
