// Policies in the dialect of Headscale: the context decides, for each call. Must not live here: what the dialect says (tests/policy/headscale.rs).

import { equal, fails } from '../assert.mjs'
import { INVALID } from './documents.mjs'

const TEXT = '{"acls": [{"src": ["ann@example.com"], "dst": ["bob@:0-22"]}]}'

const CONTEXT = {
  dialect: 'headscale',
  users: [
    { loginName: 'ann', id: '1', email: 'ann@example.com' },
    { loginName: 'bob', id: '2' },
  ],
  devices: [
    { id: '7', user: '1', addresses: ['100.64.0.1'] },
    { id: '8', user: '2', addresses: ['100.64.0.2'] },
  ],
}

export const cases = (env) => [
  [
    'headscale: one text is judged in the dialect of each context, whichever was asked first',
    () => {
      const { policy } = env.kit
      const verdicts = [undefined, CONTEXT, { dialect: 'tailscale' }, CONTEXT].map((context) => policy.check(TEXT, context).accepted)
      equal(verdicts, [false, true, false, true])
      const host = policy.check('{"acls": [{"src": ["x"], "dst": ["*:*"]}]}', CONTEXT)
      equal(host.message, 'host not defined in policy: "x"')
      equal(policy.check('{', CONTEXT).message, 'parsing HuJSON: hujson: line 1, column 2: parsing value: unexpected EOF')
      equal(policy.check('', CONTEXT).accepted, true)
    },
  ],
  [
    'headscale: a device may name its user by id, a policy by mail address',
    () => {
      const rule = { src: ['100.64.0.1'], dst: [{ net: '100.64.0.2', ports: '0-22' }], proto: [1, 6, 17, 58] }
      equal(env.kit.policy.filters(TEXT, CONTEXT), { 7: [], 8: [rule] })
      equal(env.kit.policy.explain(TEXT, { from: 'ann@', to: 'bob@:22' }, CONTEXT).verdict, 'allowed')
    },
  ],
  [
    'headscale: the first line of a text decides where nothing else does',
    () => {
      const { policy } = env.kit
      const marked = `// tailnet-kit: dialect headscale\n${TEXT}`
      const { dialect, ...network } = CONTEXT
      const contexts = [undefined, network, { ...network, dialect: 'tailscale' }, network, CONTEXT]
      equal(
        contexts.map((context) => policy.check(marked, context).accepted),
        [true, true, false, true, true],
      )
      equal(policy.check(TEXT, network).accepted, false)
      equal(policy.open(marked, network).explain({ from: 'ann@', to: 'bob@:22' }).verdict, 'allowed')
      equal(policy.filters(marked, network), policy.filters(TEXT, CONTEXT))
    },
  ],
  [
    'headscale: a policy is written in the other language and back, with its comments and what is lost',
    async () => {
      const { policy } = env.kit
      const rule = (who, more = '') => `{"acls": [{"action": "accept", "src": [${more}"${who}"], "dst": ["*:22"]}]} // kept\n`
      const there = policy.translate(rule('ann@example.com', '"autogroup:admin", '), undefined, { to: 'headscale' })
      equal([there.text, there.lost.map(({ pointer }) => pointer), there.sameAccess], [rule('ann@example.com'), ['/acls/0/src/0'], null])
      const back = policy.open(rule('ann@'), CONTEXT).translate({ to: 'tailscale', logins: { bob: 'bob@example.com' } })
      equal(back, { text: rule('ann@example.com'), lost: [], sameAccess: true })
      for (const [options, message] of [
        [{ to: 'headscale' }, /in this dialect already/],
        [{ to: 'heedscale' }, /no dialect/],
        [{}, /`to`/],
        [undefined, /`to`/],
        [{ to: 'tailscale', login: {} }, /`login` is not one of to, logins/],
      ]) {
        await fails(() => policy.translate(TEXT, CONTEXT, options), { code: 'invalid_argument', message })
      }
      await fails(() => policy.translate('{', CONTEXT, { to: 'tailscale' }), { code: 'hujson_syntax' })
    },
  ],
  [
    'headscale: edits, the parsed form and differences take a dialect',
    () => {
      const { policy } = env.kit
      const owners = '{"tag_owners": {"tag:db": []}}'
      const options = { dialect: 'headscale' }
      equal(policy.edit.setTagOwners(owners, 'db', ['ann@'], options), '{"tag_owners": {"tag:db": ["ann@"]}}')
      equal(policy.edit.rename(owners, 'tag:db', 'tag:d.b', options), '{"tag_owners": {"tag:d.b": []}}')
      equal(policy.edit.addRule('{}', { src: ['*'], dst: ['*:*'] }, undefined, options), policy.edit.addRule('{}', { src: ['*'], dst: ['*:*'] }))
      equal(policy.toJSON(owners, options), { tagOwners: { 'tag:db': [] } })
      equal(policy.toJSON(TEXT, options).acls, [{ src: ['ann@example.com'], dst: ['bob@:0-22'] }])
      equal(policy.open(owners, CONTEXT).toJSON(), { tagOwners: { 'tag:db': [] } })
      const usual = owners.replace('tag_owners', 'tagOwners')
      equal(policy.diff(owners, usual, options), [])
      equal(policy.open(owners, CONTEXT).diff(usual), [])
      equal(policy.diff(owners, usual).length, 2)
      const message = 'policies of this dialect have no postures'
      return fails(() => policy.edit.setPosture('{}', 'a', [], options), { ...INVALID, message })
    },
  ],
  [
    'headscale: options with another member or dialect are refused',
    async () => {
      const { policy } = env.kit
      const { language } = env.language
      await fails(() => policy.toJSON('{}', { dialect: 'x' }), { ...INVALID, message: '`x` is no dialect: `tailscale` and `headscale` are' })
      await fails(() => policy.edit.setHost('{}', 'a', null, { at: 1 }), { ...INVALID, message: '`at` is not one of dialect' })
      await fails(() => language.symbols('{}', { dialect: '' }), { ...INVALID, message: '`` is no dialect: `tailscale` and `headscale` are' })
    },
  ],
  [
    'headscale: the language service speaks the dialect of its options, of the context, and of the first line',
    () => {
      const { language } = env.language
      const text = '{"acls": [{"src": [""'
      const offered = (...given) => language.complete(...given).items.map(({ label }) => label)
      const options = { dialect: 'headscale' }
      const { dialect, ...network } = CONTEXT
      const wanted = offered(text, text.length, CONTEXT)
      equal(wanted.includes('bob@'), true)
      equal(wanted.includes('autogroup:admin'), false)
      equal(offered(text, text.length, network, options), wanted)
      const marked = `// tailnet-kit: dialect headscale\n${text}`
      equal(offered(marked, marked.length, network), wanted)
      equal(offered(text, text.length).includes('autogroup:admin'), true)
      const owners = '{"tag_owners": {"tag:db": []}}'
      const at = owners.indexOf('tag:db')
      equal(language.definition(owners, at, options), { from: at, to: at + 6 })
      equal(language.definition(owners, at), null)
      equal(language.symbols(owners, options)[0].children.length, 1)
      equal(
        language.tokens(owners, null, options).some(({ definition }) => definition),
        true,
      )
    },
  ],
  [
    'headscale: an unknown dialect is refused',
    () => {
      const message = '`other` is no dialect: `tailscale` and `headscale` are'
      return fails(() => env.kit.policy.check(TEXT, { dialect: 'other' }), { ...INVALID, message })
    },
  ],
]
