// All offline calls by name: those about a policy, made for each one, and the others, made once. Must not live here: the policies, what is
// asserted.

import { TailnetClient, cidr, dns, hujson, isTailnetError, policy, routes } from 'tailnet-kit'
import { language } from 'tailnet-kit/language'

/** Assertions to prove for each policy; some fail or stay open. */
const ASSERTIONS = [
  { why: 'first', never: { from: '*', to: ['*'] } },
  { always: { from: 'autogroup:member', to: '*', ports: '22', proto: 'tcp' } },
  { only: { from: ['autogroup:admin'], to: 'tag:server' } },
  { never: { from: 'autogroup:member', to: 'autogroup:self', users: 'root' } },
  { always: { from: 'odin@example.com', to: ['tag:server'], users: ['ubuntu'] } },
  { noMoreThan: { grants: [] } },
  { sameAs: 'base' },
  { never: { from: 'group:gone', to: 'tag:gone' } },
]
const GUARD = `[{"why": "in a file", "never": {"from": ["*"], "to": ["*"], "proto": "udp"}}, // because
{"noMoreThan": "base"}]`
const BASES = { base: { acls: [{ action: 'accept', src: ['*'], dst: ['*:22'] }] } }

/** Calls for each policy `text`, with an earlier text `before` and a `context`. Names are those of the verbs; words after a blank tell two calls apart. */
export const ofPolicy = {
  'policy.check': ({ text, context }) => policy.check(text, context),
  'policy.check alone': ({ text }) => policy.check(text),
  'policy.runTests': ({ text, context }) => policy.runTests(text, context),
  'policy.preview': ({ text, context }) =>
    ['odin@example.com', 'tag:server', 'group:gone', '100.64.0.5:22', { autogroup: 'autogroup:member' }, { group: 'group:admins' }].map((query) =>
      policy.preview(text, query, context),
    ),
  'policy.preview alone': ({ text }) => policy.preview(text, { user: 'ann@example.com' }),
  'policy.explain': ({ text, context, flows }) => flows.map((flow) => policy.explain(text, flow, context)),
  'policy.explain alone': ({ text, flows }) => flows.slice(-2).map((flow) => policy.explain(text, flow)),
  'policy.filters': ({ text, context }) => policy.filters(text, context),
  'policy.ssh': ({ text, context }) => policy.ssh(text, context),
  'policy.nodeAttrs': ({ text, context }) => policy.nodeAttrs(text, context),
  'policy.visiblePeers': ({ text, context }) => policy.visiblePeers(text, context),
  'policy.approvedRoutes': ({ text, context }) => policy.approvedRoutes(text, context),
  'policy.access': ({ text, context }) => policy.access(text, context),
  'policy.access by device': ({ text, context }) => policy.access(text, context, { by: 'device' }),
  'policy.access of one': ({ text, context }) =>
    policy.access(text, context, { by: 'device', from: policy.access(text, context, { by: 'device' }).sources.slice(0, 1) }),
  'policy.access alone': ({ text }) => policy.access(text),
  'policy.logins': ({ text, context }) => policy.logins(text, context),
  'policy.logins by device': ({ text, context }) => policy.logins(text, context, { by: 'device' }),
  'policy.logins alone': ({ text }) => policy.logins(text),
  'policy.diffAccess': ({ text, before, context }) => policy.diffAccess(before, text, context),
  'policy.diffAccess in another network': ({ text, before, context }) => policy.diffAccess(before, text, { devices: [] }, { after: context }),
  'policy.diffSsh': ({ text, before, context }) => policy.diffSsh(before, text, context),
  'policy.diffSsh alone': ({ text, before }) => policy.diffSsh(before, text),
  'policy.powers': ({ text, context }) => policy.powers(text, context),
  'policy.powers alone': ({ text }) => policy.powers(text),
  'policy.diffPowers': ({ text, before, context }) => policy.diffPowers(before, text, context),
  'policy.diffPowers in another network': ({ text, before, context }) => policy.diffPowers(before, text, { devices: [] }, { after: context }),
  'policy.translate': ({ text, context }) => policy.translate(text, context, { to: 'headscale' }),
  'policy.translate back': ({ text, context }) => policy.translate(text, { ...context, dialect: 'headscale' }, { to: 'tailscale' }),
  'policy.repair': ({ text, context, flows }) => flows.slice(0, 2).map((flow) => policy.repair(text, flow, context)),
  'policy.prove': ({ text, context }) => policy.prove(text, ASSERTIONS, context, { bases: BASES }),
  'policy.prove a file': ({ text, context }) => policy.prove(text, GUARD, context, { bases: BASES }),
  'policy.diff': ({ text, before }) => policy.diff(before, text),
  'policy.review': ({ text, before, context }) => policy.review(before, text, context, { guard: ASSERTIONS, bases: BASES }),
  'policy.review in another network': ({ text, before, context }) => policy.review(before, text, { devices: [] }, { after: context }),
  'policy.review alone': ({ text, before }) => policy.review(before, text),
  'policy.toJSON': ({ text }) => policy.toJSON(text),
  'policy.edit.disabled': ({ text }) => policy.edit.disabled(policy.edit.disable(text, 'acls', 0)),
  'policy.edit.changes': ({ text, before }) => policy.edit.changes(before, text),
  'document.text': ({ text }) => policy.open(text).text,
  'document.context': ({ text, context }) => policy.open(text, context).context,
  'document.diffSsh': ({ text, before, context }) => policy.open(before).diffSsh(policy.open(text, context)),
  'document.review': ({ text, before, context }) => policy.open(before, context).review(text, { guard: GUARD, bases: BASES }),
  'language.diagnostics': ({ text, context }) => language.diagnostics(text, context),
  'language.complete': ({ text, context, offsets }) => offsets.map((at) => language.complete(text, at, context)),
  'language.hover': ({ text, context, offsets }) => offsets.map((at) => language.hover(text, at, context)),
  'language.definition': ({ text, offsets }) => offsets.map((at) => language.definition(text, at)),
  'language.references': ({ text, offsets }) => offsets.map((at) => language.references(text, at)),
  'language.renameable': ({ text, offsets }) => offsets.map((at) => language.renameable(text, at)),
  'language.rename': ({ text, offsets }) => offsets.filter((at) => language.renameable(text, at)).map((at) => language.rename(text, at, 'another-one')),
  'language.symbols': ({ text }) => language.symbols(text),
  'language.folding': ({ text }) => language.folding(text.replaceAll(', ', ',\n// and\n// so on\n')),
  'language.selection': ({ text, offsets }) => offsets.map((at) => language.selection(text, at)),
  'language.tokens': ({ text }) => language.tokens(text),
  'language.inlay': ({ text, context }) => language.inlay(text, null, context),
  'language.actions': ({ text, context, offsets }) => offsets.map((at) => language.actions(text, { from: at, to: at + 9 }, context)),
  'hujson.tryParse': ({ text }) => hujson.tryParse(text),
}

const TEXT = `{
  // who
  "groups": {"group:ops": ["ann@example.com"]},
  "tagOwners": {"tag:web": []},
  "acls": [{"action": "accept", "src": ["group:ops"], "dst": ["tag:web:22"]}, {"action": "accept", "src": ["*"], "dst": ["*:80"]}],
}
`
const OTHER = TEXT.replace('"*:80"', '"*:443"')
const PREFIXES = [
  '10.0.0.0/8',
  '10.1.2.3/8',
  '10.0.0.1',
  '::/0',
  '010.0.0.0/8',
  'fe80::1%eth0/64',
  '10.0.0.0/33',
  '::ffff:10.0.0.0/104',
  'x',
  '',
  '10.0.0.0/8 ',
]
const SERVERS = [
  '9.9.9.9',
  '',
  ' 9.9.9.9',
  'https://dns.example',
  '9.9.9.9, 8.8.8.8',
  '10.0.0.0/8',
  '9.9.9.9:53',
  'dns.example',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '1.2.3',
  '01.2.3.4',
  'fe80::1%eth0',
  '127.0.0.1',
  'fe80::1',
  '::ffff:1.1.1.1',
  '100.100.100.100',
]
const DOMAINS = [
  'example.com',
  '',
  ' a',
  'https://a.example',
  '10.0.0.1',
  '10.0.0.0/8',
  '*.example',
  'a..b',
  `${'a'.repeat(64)}.b`,
  '-a.b',
  'ü.example',
  'a!b',
  'a.1',
  `${'a.'.repeat(127)}bcd`,
  '_a.b',
  'a.local',
]

/** Calls made once. */
export const once = {
  'policy.open': () => policy.open(TEXT).check(),
  'policy.edit.addRule': () => policy.edit.addRule(TEXT, { action: 'accept', src: ['*'], dst: ['*:1'] }),
  'policy.edit.removeRule': () => policy.edit.removeRule(TEXT, 0),
  'policy.edit.setGroup': () => policy.edit.setGroup(TEXT, 'ops', null),
  'policy.edit.setHost': () => policy.edit.setHost(TEXT, 'db', '10.0.0.1'),
  'policy.edit.add': () => policy.edit.add(TEXT, 'grants', { src: ['*'], dst: ['*'], ip: ['*'] }),
  'policy.edit.replace': () => policy.edit.replace(TEXT, 'acls', 0, { action: 'accept', src: ['*'], dst: ['*:1'] }),
  'policy.edit.remove': () => policy.edit.remove(TEXT, 'acls', 0),
  'policy.edit.move': () => policy.edit.move(TEXT, 'acls', 0, 1),
  'policy.edit.disable': () => policy.edit.disable(TEXT, 'acls', 0),
  'policy.edit.enable': () => policy.edit.enable(...disabled()),
  'policy.edit.setTagOwners': () => policy.edit.setTagOwners(TEXT, 'web', ['ann@example.com']),
  'policy.edit.setIpset': () => policy.edit.setIpset(TEXT, 'lan', ['add 10.0.0.0/8']),
  'policy.edit.setPosture': () => policy.edit.setPosture(TEXT, 'new', ["node:os == 'linux'"]),
  'policy.edit.setDefaultSrcPosture': () => policy.edit.setDefaultSrcPosture(TEXT, null),
  'policy.edit.setAutoApprovers': () => policy.edit.setAutoApprovers(TEXT, { route: '10.0.0.0/8' }, ['tag:web']),
  'policy.edit.setAttrConfig': () => policy.edit.setAttrConfig(TEXT, 'custom:tier', { type: 'string' }),
  'policy.edit.setOption': () => policy.edit.setOption(TEXT, 'disableIPv4', true),
  'policy.edit.apply': () => policy.edit.apply(TEXT, policy.edit.changes(TEXT, OTHER)),
  'policy.edit.rename': () => policy.edit.rename(TEXT, 'group:ops', 'sre'),
  'hujson.parse': () => hujson.parse(TEXT),
  'hujson.tryParse twice': () => [hujson.tryParse('{"a": 1, "a": 2}'), hujson.tryParse('{"a": }')],
  'hujson.standardize': () => hujson.standardize(TEXT),
  'hujson.minimize': () => hujson.minimize(TEXT),
  'hujson.format': () => hujson.format(TEXT),
  'hujson.stringify': () => hujson.stringify({ a: [1] }),
  'hujson.isStandard': () => hujson.isStandard(TEXT),
  'hujson.find': () => ['/acls/0', '/nothing', 'x', ''].map((pointer) => hujson.find(TEXT, pointer)),
  'hujson.pointerAt': () => hujson.pointerAt(TEXT, 20),
  'hujson.patch': () => hujson.patch(TEXT, [{ op: 'remove', path: '/acls/0' }]),
  'hujson.fromJSON5': () => hujson.fromJSON5("{a: 'b'}"),
  'cidr.check': () => PREFIXES.map((prefix) => cidr.check(prefix)),
  'cidr.checkMany': () => cidr.checkMany(PREFIXES, { hostBits: 'mask', bareAddress: 'host', ipv4Mapped: 'keep' }),
  'cidr.normalize': () => cidr.normalize('10.0.0.0/8'),
  'cidr.contains': () => cidr.contains('10.0.0.0/8', '10.0.0.0/9'),
  'cidr.overlaps': () => cidr.overlaps('10.0.0.0/8', '::/0'),
  'cidr.merge': () => cidr.merge(PREFIXES.slice(0, 1)),
  'cidr.exclude': () => cidr.exclude(['10.0.0.0/8'], ['10.0.0.0/9']),
  'cidr.sameSet': () => cidr.sameSet([], []),
  'routes.summarize': () =>
    [['10.0.0.0/8', '10.1.0.0/16'], ['0.0.0.0/0'], ['0.0.0.0/0', '::/0']].map((list) =>
      routes.summarize({ advertisedRoutes: list, enabledRoutes: [...list, '192.168.0.0/24'] }),
    ),
  'dns.checkNameserver': () => SERVERS.map((address) => dns.checkNameserver(address)),
  'dns.checkSearchPath': () => DOMAINS.map((name) => dns.checkSearchPath(name)),
  'error hujson.parse': () => hujson.parse('{"a": }'),
  'error hujson.patch': () => hujson.patch('{}', [{ op: 'remove', path: '/a' }]),
  'error policy.access': () => policy.access('{"acls": [{"action": "accept", "src": ["group:x"], "dst": ["*:*"]}]}'),
  'error policy.explain': () => policy.explain('{}', { from: 'a@b.c', to: 'nowhere' }),
  'error TailnetClient': () => void new TailnetClient({ apiKey: null, baseURL: '' }),
  'error isTailnetError': () => isTailnetError(null),
}

/** @returns {[string, number]} */
const disabled = () => {
  const text = policy.edit.disable(TEXT, 'acls', 0)
  return [text, policy.edit.disabled(text)[0]?.offset ?? 0]
}
