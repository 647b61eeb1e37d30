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
    'headscale: an unknown dialect is refused',
    () => {
      const message = '`other` is no dialect: `tailscale` and `headscale` are'
      return fails(() => env.kit.policy.check(TEXT, { dialect: 'other' }), { ...INVALID, message })
    },
  ],
]
