// The declarations of HuJSON, policies, prefixes, routes and DNS, used as a user would. Never run. Must not live here: what they do.

import * as kit from 'tailnet-kit'
import { is } from './is.mjs'

export function hujson(text: string): void {
  const { parse, tryParse, standardize, minimize, format, stringify, isStandard, find, pointerAt, patch, fromJSON5 } = kit.hujson
  is<unknown>()(parse(text))
  const result: kit.Result<unknown> = tryParse(text)
  if (result.ok) is<unknown>()(result.value)
  for (const issue of result.issues) {
    is<'error' | 'warning'>()(issue.severity)
    is<string[]>()([issue.code, issue.message, issue.hint ?? '', issue.pointer ?? ''])
    is<number[]>()([issue.line, issue.column, issue.offset, issue.length])
  }
  is<string[]>()([standardize(text), minimize(text), format(text), stringify({ a: 1 }), fromJSON5(text), pointerAt(text, 3)])
  is<boolean>()(isStandard(text))
  const found = find(text, '/a')
  is<number | undefined>()((found && found.line + found.column + found.offset + found.length) || undefined)
  is<unknown>()(found?.value)
  const operations: kit.JsonPatchOperation[] = [
    { op: 'add', path: '/a', value: 1 },
    { op: 'replace', path: '/a', value: 2 },
    { op: 'test', path: '/a', value: 2 },
    { op: 'copy', from: '/a', path: '/b' },
    { op: 'move', from: '/b', path: '/c' },
    { op: 'remove', path: '/c' },
  ]
  is<string>()(patch(text, operations))
}

export function policy(text: string, devices: kit.Device[]): void {
  const {
    check,
    preview,
    explain,
    runTests,
    filters,
    ssh,
    access,
    logins,
    diffAccess,
    diffSsh,
    powers,
    diffPowers,
    prove,
    repair,
    diff,
    review,
    toJSON,
    edit,
  } = kit.policy
  const context: kit.PolicyContext = {
    devices,
    users: [{ loginName: 'alice@example.com', role: 'admin', id: '1', email: 'alice@example.com', providerId: 'p1' }],
    domains: ['example.com'],
    groups: { 'group:eng@example.com': ['alice@example.com'] },
    attributes: { 7: { 'node:os': 'linux', 'custom:tier': 2, 'custom:managed': true } },
  }
  const checked: kit.PolicyCheck = check({ acls: [] }, context)
  is<[boolean, string | null, kit.Issue[], kit.TestReport]>()([checked.accepted, checked.message, checked.issues, checked.tests])
  const { matches, unknown, user } = preview(text, { ipPort: '100.100.1.1:80' }, context)
  for (const { users, ports, lineNumber } of matches) is<[string[], string[], number | null]>()([users, ports, lineNumber])
  is<[kit.RuleRef[], string]>()([unknown, user])
  const queries: (kit.PreviewQuery | string)[] = [
    { user: 'alice@example.com' },
    { tag: 'tag:web' },
    { host: 'printer' },
    { ipPort: '100.100.1.1:80' },
    'printer',
  ]
  for (const query of queries) preview(text, query)
  const subjects: (kit.Subject | string)[] = [{ user: 'a' }, { group: 'group:a' }, { tag: 'tag:a' }, { host: 'a' }, { ip: '100.100.1.1' }, 'group:a']
  const because: kit.Explanation[] = subjects.map((from) => explain(text, { from, to: 'web:80', proto: 'udp' }, context))
  because.push(explain(text, { from: 'a', to: 'web', user: 'root' }), explain(text, { from: 'a', to: 'web', proto: 'ping' }))
  for (const { verdict, because: rules, nearMisses, unresolved, part, arrives, hindrance, action } of because) {
    is<'allowed' | 'partly' | 'denied' | 'unknown'>()(verdict)
    is<[kit.Part | undefined, boolean | null, string | undefined]>()([part, arrives, hindrance])
    is<'accept' | 'check' | undefined>()(action)
    for (const { section, index, line } of rules) is<['acls' | 'grants' | 'ssh', number, number]>()([section, index, line])
    for (const { rule, why } of nearMisses) is<[kit.RuleRef, string]>()([rule, why])
    is<string[]>()(unresolved)
  }
  const report: kit.TestReport = runTests(text, context)
  for (const { section, index, line, src, passed, errors } of report.results) {
    is<['tests' | 'sshTests', number, number, string, boolean | null, string[]]>()([section, index, line, src, passed, errors])
  }
  is<boolean>()(report.passed)
  for (const { src, dst, proto, app } of Object.values(filters(text, context)).flat()) {
    for (const { net, ports } of dst) is<string[]>()([net, ports])
    is<[string[], number[], Record<string, unknown> | undefined]>()([src, proto, app])
  }
  for (const { from, users, action, acceptEnv } of Object.values(ssh(text, context)).flat()) {
    is<[string[], Record<string, string>, 'accept' | 'check', string[] | undefined]>()([from, users, action, acceptEnv])
  }
  const who: kit.LoginMatrix = logins(text, context, { by: 'device', to: 'tag:web' })
  for (const { users, network, part, why } of who.cells) void [users, network, part?.from, why]
  const matrix: kit.AccessMatrix = access(text, context, { by: 'device', from: ['alice@example.com'], to: 'tag:web' })
  for (const { source, destination, ports, because: rules } of matrix.cells) {
    is<[string | undefined, string | undefined]>()([matrix.sources[source], matrix.destinations[destination]])
    is<[string[], kit.RuleRef[]]>()([ports, rules])
  }
  const changes: kit.AccessChange[] = diffAccess(text, { acls: [] }, context)
  for (const { source, gained, lost, undecided } of changes)
    for (const { destination, ports, opens, part, why, needs, today } of [...gained, ...lost, ...undecided]) {
      is<[string, string, string[]]>()([source, destination, ports])
      is<(string[] | undefined)[]>()([part?.from, part?.to, needs, ...opens.flatMap(({ via, unless }) => [via, unless?.via, unless?.postures])])
      is<(string | undefined)[]>()([why, today])
    }
  for (const { edits, text: repaired, title, changes } of repair(text, { from: 'ann@example.com', to: 'tag:web:22' }, context)) {
    const found: [string, string, number] = [edit.apply(text, edits), `${title}: ${repaired}`, changes.length]
    void found
  }
  for (const { party, gained, lost, checked, undecided } of diffSsh(text, { acls: [] }, context, { after: context })) {
    for (const { now } of checked) is<'tighter' | 'looser'>()(now)
    for (const { users, action, network, postures, unless, checkPeriod, acceptEnv, because: rules } of [...gained, ...lost, ...checked, ...undecided]) {
      is<[kit.Party, string[], 'accept' | 'check', boolean | null, kit.RuleRef[]]>()([party, users, action, network, rules])
      is<[string | undefined, (string[] | undefined)[]]>()([checkPeriod, [postures, unless?.postures, acceptEnv]])
    }
  }
  const held: kit.Power[] = powers(text, context)
  for (const { who, kind, what, value, pointer, through, opens } of held)
    is<[string, kit.PowerKind, string, unknown, string, string[] | undefined, kit.AccessReach[] | undefined]>()([
      who,
      kind,
      what,
      value,
      pointer,
      through,
      opens,
    ])
  for (const { party, gained, lost, undecided } of diffPowers(text, { acls: [] }, context, { after: context }))
    is<[kit.Party, kit.Power[]]>()([party, [...gained, ...lost, ...undecided]])
  const never: kit.Assertion = { why: 'customers', never: { from: '*', to: ['tag:db'], ports: '22', proto: 'tcp' } }
  const proof: kit.Proof = prove(text, [never, { always: { from: 'a', to: 'b', users: 'root' } }, { sameAs: 'main' }], context, { bases: { main: text } })
  for (const { assertion, holds, line, counterexample, because: rules, why } of proof.results) {
    is<[kit.Assertion, boolean | null, number | null, string | undefined, kit.RuleRef[]]>()([assertion, holds, line, why, rules])
    if (counterexample)
      is<[kit.Explanation, kit.RuleRef | null, string | undefined]>()([explain(text, counterexample.flow), counterexample.rule, counterexample.flow.user])
  }
  for (const { pointer, kind, before, after } of diff(text, text))
    is<[string, 'added' | 'removed' | 'changed', unknown, unknown]>()([pointer, kind, before, after])
  const reviewed: kit.PolicyReview = review(text, { acls: [] }, context, { guard: [never], after: context })
  const { unchanged, issues, ssh: changedLogins, powers: changedPowers, postures, lockedOut, orphaned, exposed, tests, summary } = reviewed
  is<[boolean, kit.Issue[], kit.Party[], string]>()([unchanged, issues, lockedOut, summary])
  for (const { destination, to, opens } of exposed) is<[string, 'everybody' | 'outsiders' | 'anyone', kit.Opening[]]>()([destination, to, opens])
  for (const { noLonger } of tests.changed) is<string[]>()(noLonger)
  is<[kit.SshChange[], kit.PowerChange[], kit.Party[]]>()([changedLogins, changedPowers, orphaned])
  for (const { name, now, before, after } of postures)
    is<[string, 'tighter' | 'looser' | 'other' | 'same', string[] | null, string[] | null]>()([name, now, before, after])
  for (const { section, line, src } of [...tests.added, ...tests.removed]) is<['tests' | 'sshTests', number, string]>()([section, line, src])
  is<kit.AclPolicy>()(toJSON(text))
  const edited = edit.addRule(edit.removeRule(text, 0), { action: 'accept', src: ['*'], dst: ['*:*'] }, 1)
  is<string>()(edit.setGroup(edit.setHost(edited, 'web', null), 'group:ops', ['alice@example.com']))
}

export function prefixes(): void {
  const { check, checkMany, normalize, contains, overlaps, merge, exclude, sameSet } = kit.cidr
  const lenient: kit.CidrOptions = { hostBits: 'mask', bareAddress: 'host', ipv4Mapped: 'unwrap' }
  for (const verdict of [check('10.0.0.0/8', lenient), ...checkMany(['::/0'], lenient)]) {
    if (verdict.ok) is<[string, 4 | 6]>()([verdict.cidr, verdict.version])
    else is<[string, string, string | undefined]>()([verdict.code, verdict.message, verdict.suggestion])
  }
  is<string>()(normalize('10.1.2.3/8', lenient))
  is<boolean[]>()([contains('::/0', '::/1'), overlaps('::/0', '::/1'), sameSet([], [])])
  is<string[]>()([...merge(['10.0.0.0/8']), ...exclude(['10.0.0.0/8'], ['10.0.0.0/9'])])
  const { active, pending, enabledOnly, exitNode, overlaps: pairs } = kit.routes.summarize({ advertisedRoutes: [], enabledRoutes: [] })
  is<[string[], string[], string[], 'no' | 'half' | 'yes', [string, string][]]>()([active, pending, enabledOnly, exitNode, pairs])
  is<kit.Issue[]>()([...kit.dns.checkNameserver('1.1.1.1'), ...kit.dns.checkSearchPath('example.com')])
}
