// When a wasm file starts: by the first call that needs it, and not before. Must not live here: what the kit does once it runs.

import { equal, fails } from './assert.mjs'

/** Counts the modules compiled from now on; returns a function that gives the count since its last call. */
export function counting() {
  const { Module } = WebAssembly
  let count = 0
  WebAssembly.Module = new Proxy(Module, {
    construct: (target, args) => {
      count++
      return new target(...args)
    },
  })
  return () => {
    const counted = count
    count = 0
    return counted
  }
}

/** For a runtime that compiles by itself. `kit` must be imported after `counting`. */
export const cases = ({ kit, counted }) => [
  ['the import compiles nothing', () => equal(counted(), 0)],
  [
    'an error and the version need no wasm',
    () => equal([kit.isTailnetError(new kit.NotFoundError('mine')), typeof kit.version, counted()], [true, 'string', 0]),
  ],
  [
    'the first call compiles its own file, the second none',
    () => {
      kit.cidr.check('10.0.0.0/8')
      equal(counted(), 1)
      kit.cidr.check('10.0.0.0/16')
      kit.routes.summarize({ advertisedRoutes: [], enabledRoutes: [] })
      equal(counted(), 0)
    },
  ],
  [
    'a policy takes another file, its edits one, what is asked of two policies one, and JSON5 one beside that of HuJSON',
    () => {
      equal([kit.policy.check({ acls: [] }).accepted, kit.policy.runTests({}).passed, counted()], [true, true, 1])
      equal([kit.policy.edit.setHost('{}', 'a', '10.0.0.1'), counted()], ['{"hosts": {"a": "10.0.0.1"}}', 1])
      equal([kit.policy.diff('{}', '{}'), kit.policy.access({}).by, counted()], [[], 'name', 1])
      equal([kit.hujson.parse('[1,]'), counted()], [[1], 1])
      equal([kit.hujson.fromJSON5('{a: 1}'), counted()], ['{"a": 1}\n', 1])
    },
  ],
  [
    'a client takes its own, and the policy engine only to check an update',
    async () => {
      const answer = async (_, { method }) => new Response('{"acls": []}', { headers: method === 'GET' ? { etag: '"1"' } : {} })
      const client = new kit.TailnetClient({ baseURL: 'http://localhost', apiKey: null, tailnet: 'example.com', fetch: answer })
      equal(counted(), 1)
      await client.acl.update((text) => text)
      equal(counted(), 0)
    },
  ],
]

/** For a page whose Content-Security-Policy forbids wasm. */
export const forbidden = ({ kit }) => [
  [
    'the first call says that the policy of the page forbids it',
    async () => {
      const said = { code: 'not_initialized', message: /Content Security Policy.*wasm-unsafe-eval/ }
      await fails(() => kit.cidr.check('10.0.0.0/8'), said)
      await fails(() => kit.policy.check('{}'), said)
      await fails(() => new kit.TailnetClient({ baseURL: '/', apiKey: null }), said)
    },
  ],
]

/** For a page that cannot load the file of the policy engine. */
export const unreachable = ({ kit }) => {
  const sent = []
  const fetch = async (_, { method }) => {
    sent.push(method)
    return new Response('{"acls": []}', { headers: { etag: '"1"' } })
  }
  const client = new kit.TailnetClient({ baseURL: 'http://localhost', apiKey: null, tailnet: 'example.com', fetch })
  return [
    [
      'an update whose check cannot be loaded says so and writes nothing',
      async () => {
        await fails(() => client.acl.update((text) => text), { code: 'not_initialized', message: /policy engine.*could not be loaded/ })
        equal(sent.splice(0), ['GET'])
      },
    ],
    [
      'a check given by the caller needs no file',
      async () => {
        await client.acl.update((text) => text, { check: () => ({ accepted: true }) })
        equal(sent.splice(0), ['GET', 'POST'])
        const check = () => ({ accepted: false, message: 'not today', issues: [], tests: { passed: true, results: [] } })
        const refused = await fails(() => client.acl.update((text) => text, { check }), {
          name: 'PolicyRefusedError',
          code: 'policy_refused',
          message: /not today/,
        })
        equal([refused.check.message, sent.splice(0)], ['not today', ['GET']])
      },
    ],
    [
      'an update that checks nothing needs none either',
      async () => {
        await client.acl.update((text) => text, { check: false })
        equal(sent.splice(0), ['GET', 'POST'])
      },
    ],
  ]
}
