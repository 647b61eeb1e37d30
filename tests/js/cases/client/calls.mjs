// Other forms of arguments, requests and answers than those of the exchanges, and the arguments that are refused before a request. Must not live here:
// an exchange of each operation (`exchanges.mjs`), failures.

import { equal, fails, ok } from '../assert.mjs'
import { BASIC, KEY, over, scripts } from './scripted.mjs'

const ETAG = '"e1"'

export const cases = (env) => [...requests(env), ...answers(env), ...forms(env), ...policies(env), ...arguments_(env), ...anything(env)]

/** A call, the line of its request without what all have in common, and the body, where one is sent. */
const REQUESTS = [
  [(c) => c.devices.get('a/b ü', { fields: 'all' }), 'GET device/a%2Fb%20%C3%BC?fields=all'],
  [
    (c) => c.devices.list({ filter: { tags: ['tag:a', 'tag:b'], isExternal: false } }),
    'GET tailnet/example.com/devices?tags=tag%3Aa&tags=tag%3Ab&isExternal=false',
  ],
  [(c) => c.devices.authorize('1', { authorized: false }), 'POST device/1/authorized', { authorized: false }],
  [(c) => c.devices.setName('1', ''), 'POST device/1/name', { name: '' }],
  [
    (c) => c.devices.attributes.set('1', 'custom:tier', { value: 2, expiry: new Date(0) }),
    'POST device/1/attributes/custom%3Atier',
    { value: 2, expiry: '1970-01-01T00:00:00.000Z' },
  ],
  [(c) => c.acl.getDetails(), 'GET tailnet/example.com/acl?details=true'],
  [
    (c) => c.acl.preview({ acls: [] }, { ipPort: '100.64.0.1:443' }),
    'POST tailnet/example.com/acl/preview?type=ipport&previewFor=100.64.0.1%3A443',
    { acls: [] },
  ],
  [
    (c) => c.services.set('svc:old', { name: 'svc:wiki', ports: ['tcp:443'] }),
    'PUT tailnet/example.com/services/svc%3Aold',
    { name: 'svc:wiki', ports: ['tcp:443'] },
  ],
  [
    (c) => c.logs.audit({ start: new Date(0), end: '2026-11-21T00:00:00+01:00', actor: ['~ada', 'u1'], event: 'NODE' }),
    'GET tailnet/example.com/logging/configuration?start=1970-01-01T00%3A00%3A00.000Z&end=2026-11-21T00%3A00%3A00%2B01%3A00&actor=~ada&actor=u1&event=NODE',
  ],
]

const requests = (env) =>
  REQUESTS.map(([call, line, body]) => [
    `client sends ${line}`,
    async () => {
      let asked
      const client = over(env)(async (request) => {
        asked = [request.method, request.url, await request.text()]
        return new Response('{}', { headers: { 'content-type': 'application/json', etag: ETAG } })
      })
      // What comes back is no answer to it.
      await call(client).catch(() => {})
      const [method, path] = line.split(' ')
      equal([asked[0], asked[1]], [method, `https://api.example.com/api/v2/${path}`])
      equal(asked[2] === '' ? undefined : JSON.parse(asked[2]), body)
    },
  ])

/** An answer in a form that real services use, and what a call gives of it. */
const ANSWERS = [
  ['{"keys": null}', (c) => c.keys.list(), []],
  ['{}', (c) => c.webhooks.list(), []],
  ['{"vipServices": null}', (c) => c.services.list(), []],
  ['{}', (c) => c.services.hosts('svc:wiki'), []],
  ['{"version": "1.1", "logs": null}', (c) => c.logs.audit({ start: new Date(0), end: new Date(1) }), []],
  ['{}', (c) => c.postureIntegrations.list(), []],
  ['null', (c) => c.services.delete('svc:wiki'), undefined],
  ['', (c) => c.devices.delete('1'), undefined],
  ['null', (c) => c.users.approve('u1'), undefined],
  ['{"acl": "e30=", "warnings": null, "errors": ["no"]}', (c) => c.acl.getDetails(), { text: '{}', etag: ETAG, warnings: [], errors: ['no'] }],
]

const answers = (env) =>
  ANSWERS.map(([text, call, given]) => [
    `client reads ${text || 'nothing'}: ${String(call).replace('(c) => c.', '')}`,
    async () => equal(await call(over(env)(() => new Response(text, { headers: { 'content-type': 'application/json', etag: ETAG } }))), given),
  ])

/** The path and query of the request that a call makes. */
async function target(env, call, options) {
  let asked
  const client = over(env)((request) => {
    const { pathname, search } = new URL((asked = request.url))
    asked = pathname + search
    return Response.json({ devices: [], id: '1' })
  }, options)
  await call(client)
  return asked
}

const forms = (env) => [
  [
    'client path forms, tailnets and fields',
    async () => {
      const at = (call, options) => target(env, call, options)
      const list = (c) => c.devices.list()
      equal(await at(list, { pathStyle: 'domain' }), '/api/v2/domain/example.com/devices')
      equal(await at((c) => c.devices.get('1'), { pathStyle: 'domain' }), '/api/v2/device/1')
      equal(decodeURIComponent(await at(list, { tailnet: 'alice@gmail.com' })), '/api/v2/tailnet/alice@gmail.com/devices')
      equal(await at((c) => c.devices.list({}, { tailnet: 'other.example' })), '/api/v2/tailnet/other.example/devices')
      equal(await at((c) => c.devices.list({ fields: ['default', 'all'] })), '/api/v2/tailnet/example.com/devices?fields=default,all')
      equal(await at((c) => c.devices.list({ fields: [] })), '/api/v2/tailnet/example.com/devices')
    },
  ],
  [
    'client base URLs',
    async () => {
      const at = (baseURL) => target(env, (c) => c.devices.get('1'), { baseURL })
      equal(await at('https://api.example.com/'), '/api/v2/device/1')
      equal(await at('https://proxy.example.com/to/service'), '/to/service/api/v2/device/1')
      equal(await at('https://proxy.example.com/to/service/'), '/to/service/api/v2/device/1')
      equal(await at(new URL('https://proxy.example.com/x')), '/x/api/v2/device/1')
      if (env.runtime === 'page') equal(await at('/proxy'), '/proxy/api/v2/device/1')
      for (const baseURL of [
        'https://u:p@api.example.com',
        'https://api.example.com?x',
        'https://api.example.com/#x',
        'http://api.example.com',
        'ftp://api.example.com',
        '',
        undefined,
        7,
      ]) {
        await fails(() => over(env)(() => {}, { baseURL }), { name: 'InvalidArgumentError', code: 'invalid_argument', message: /baseURL/ })
      }
      equal(await target(env, (c) => c.devices.get('1'), { baseURL: 'http://api.example.com', allowInsecureHTTP: true }), '/api/v2/device/1')
    },
  ],
]

const policies = (env) => [
  [
    'client acl asks for a format, and sends the content type of its own',
    async () => {
      const script = scripts(env)('good')
      const client = script.client()
      equal(await client.acl.get({ format: 'json' }), { format: 'json', policy: { acls: [] }, etag: ETAG })
      equal(await client.acl.set({ acls: [] }, { ifMatch: ETAG, format: 'json' }), { format: 'json', policy: { acls: [] }, etag: ETAG })
      await client.acl.set({ acls: [] }, { overwrite: true })
      await client.acl.preview({ acls: [] }, { user: 'ann@example.com' })
      const told = (await script.log()).map(({ headers }) => [headers.accept, headers['content-type'] ?? null, headers['if-match'] ?? null])
      equal(told, [
        ['application/json', null, null],
        ['application/json', 'application/json', ETAG],
        ['application/hujson', 'application/json', null],
        ['application/json', 'application/json', null],
      ])
    },
  ],
  [
    'client acl.set takes an ETag quoted or bare, and demands one or `overwrite`',
    async () => {
      const script = scripts(env)('good')
      const { acl } = script.client()
      for (const ifMatch of ['e1', '"e1"', 'W/"e1"', '*', ' "a,b" ', 'ts-default']) await acl.set('{}', { ifMatch })
      equal(
        (await script.log()).map(({ headers }) => headers['if-match']),
        ['"e1"', '"e1"', 'W/"e1"', '*', '"a,b"', '"ts-default"'],
      )
      for (const how of [
        undefined,
        null,
        {},
        { ifMatch: '' },
        { ifMatch: '""' },
        { ifMatch: 'W/""' },
        { ifMatch: ' ' },
        { ifMatch: 'a"b' },
        { ifMatch: 'a b' },
        { ifMatch: 'ä' },
        { overwrite: false },
        { ifMatch: null, overwrite: true },
      ]) {
        await fails(() => acl.set('{}', how), { code: 'invalid_argument', message: /ifMatch/ })
      }
      // As `get` gives where the service sent none.
      await fails(() => acl.set('{}', { ifMatch: null }), { name: 'ETagUnavailableError', code: 'etag_unavailable' })
      equal((await script.log()).length, 6)
    },
  ],
  [
    'client acl takes the text as it is stored for JSON',
    async () => {
      const client = over(env)(() => new Response('// why\n{"acls": [],}', { headers: { 'content-type': 'application/json', etag: ETAG } }))
      equal(await client.acl.get({ format: 'json' }), { format: 'json', policy: { acls: [] }, etag: ETAG })
      await fails(() => over(env)(() => new Response('nonsense', { headers: { 'content-type': 'application/json' } })).acl.get({ format: 'json' }), {
        code: 'malformed_response',
      })
    },
  ],
  [
    'client devices are filtered here where a service ignores filters',
    async () => {
      const rows = [
        { id: '1', tags: ['tag:a', 'tag:b'], isEphemeral: true },
        { id: '2', tags: ['tag:a'] },
        { id: '3', os: 'linux', enabledRoutes: ['::/0'] },
      ]
      let asked
      const client = over(env)((request) => {
        asked = new URL(request.url).search
        return Response.json({ devices: rows })
      })
      const ids = async (filter, fields) => (await client.devices.list({ filter, fields })).map(({ id }) => id)
      equal(await ids({ tags: 'tag:a' }), ['1', '2'])
      equal(await ids({ tags: ['tag:a', 'tag:b'] }), ['1'])
      equal(await ids({ isEphemeral: false }), ['2', '3'])
      equal(await ids({ os: 'Linux' }), [])
      equal(await ids({ enabledRoutes: '::/0' }, 'default'), ['3'])
      equal(asked, '?fields=all&enabledRoutes=%3A%3A%2F0')
      equal(await ids({}), ['1', '2', '3'])
    },
  ],
  [
    'client empty answers: nothing, null and {} are success, lists that are missing are empty',
    async () => {
      const answered = (body) => over(env)(() => new Response(body, { headers: { 'content-type': 'application/json' } }))
      for (const body of ['', 'null', '{}']) {
        equal(await answered(body).devices.setName('1', 'x'), undefined)
        equal(await answered(body).keys.list(), [])
        equal(await answered(body).users.list(), [])
        equal((await answered(body).acl.validate('{}')).outcome, 'valid')
      }
      equal(await answered('{"keys":null}').keys.list(), [])
      await fails(() => answered('{"keys":7}').keys.list(), { code: 'malformed_response', message: /keys/ })
      equal((await answered('{"message":"tag not found"}').acl.validate('{}')).outcome, 'invalid')
      equal((await answered('{"message":"warning(s) found","data":[{"user":"g","warnings":["w"]}]}').acl.validate('{}')).outcome, 'warnings')
    },
  ],
  [
    'client acl text and ETag are kept as they were sent',
    async () => {
      equal(await scripts(env)('bare-etag').client().acl.get(), { format: 'hujson', text: '\ufeff{}\r\n// ü\t\n', etag: 'W/"a b"' })
      equal((await scripts(env)('no-etag').client().acl.get()).etag, null)
      equal((await scripts(env)('empty-etag').client().acl.get()).etag, null)
      await fails(() => scripts(env)('latin1').client().acl.get(), { code: 'malformed_response', message: /UTF-8/ })
    },
  ],
]

const arguments_ = (env) => [
  [
    'client arguments that cannot be sent are named, and nothing is sent',
    async () => {
      const client = over(env)(
        () => {
          throw new Error('sent')
        },
        { maxRetries: 0 },
      )
      const wrong = [
        [/`id`/, (c) => c.devices.get()],
        [/`id`/, (c) => c.devices.get('')],
        [/`id`/, (c) => c.devices.get('.')],
        [/`id`/, (c) => c.devices.delete('..')],
        [/`id`/, (c) => c.devices.get(7)],
        [/`fields`/, (c) => c.devices.list({ fields: 'some' })],
        [/`fields\[0\]`/, (c) => c.devices.list({ fields: [1] })],
        [/`routes`/, (c) => c.devices.routes.set('1')],
        [/`routes`/, (c) => c.devices.routes.set('1', '10.0.0.0/8')],
        [/`routes\[1\]`.*10\.0\.0\.0\/8/, (c) => c.devices.routes.set('1', ['::/0', '10.0.0.1/8'])],
        [/`name`/, (c) => c.devices.setName('1')],
        [/`tags\[0\]`/, (c) => c.devices.setTags('1', [7])],
        [/`keyExpiryDisabled`/, (c) => c.devices.setKey('1')],
        [/`authorized`/, (c) => c.devices.authorize('1', { authorized: 'no' })],
        ...['100.128.0.1', 'fd7a:115c:a1e0::1', 'web', '10.0.0.1'].map((ip) => [/`ipv4`/, (c) => c.devices.setIP('1', ip)]),
        [/`key`/, (c) => c.devices.attributes.delete('1')],
        [/`value`/, (c) => c.devices.attributes.set('1', 'custom:a', { value: {} })],
        [/`expiry`.*time/, (c) => c.devices.attributes.set('1', 'custom:a', { value: 1, expiry: new Date(NaN) })],
        [/`expiry`.*time/, (c) => c.devices.attributes.batch({ nodes: { 1: { 'custom:a': { value: 1, expiry: new Date(NaN) } } } })],
        [/`end`.*time/, (c) => c.logs.audit({ start: new Date(0), end: new Date(NaN) })],
        [/`nodes`/, (c) => c.devices.attributes.batch()],
        [/`filter`.*shoe/, (c) => c.devices.list({ filter: { shoe: 'x' } })],
        [/`filter\.isExternal`/, (c) => c.devices.list({ filter: { isExternal: 'true' } })],
        [/`filter\.os`/, (c) => c.devices.list({ filter: { os: 7 } })],
        [/`body`/, (c) => c.keys.create()],
        [/`id`/, (c) => c.users.get('')],
        [/`email`/, (c) => c.contacts.update('security')],
        [/`type`/, (c) => c.contacts.resendVerification()],
        [/`role`/, (c) => c.users.setRole('u1')],
        [/`endpointUrl`/, (c) => c.webhooks.create({ subscriptions: [] })],
        [/`subscriptions`/, (c) => c.webhooks.create({ endpointUrl: 'https://a.example' })],
        [/`subscriptions\[0\]`/, (c) => c.webhooks.update('w1', { subscriptions: [7] })],
        [/`id`/, (c) => c.webhooks.test()],
        [/`name`/, (c) => c.services.get()],
        [/`provider`/, (c) => c.postureIntegrations.create({})],
        [/`body`/, (c) => c.postureIntegrations.update('p1')],
        [/`start`/, (c) => c.logs.audit()],
        [/`end`/, (c) => c.logs.network({ start: 'a' })],
        [/`end`/, (c) => c.logs.network({ start: 'a', end: 7 })],
        [/`actor`/, (c) => c.logs.audit({ start: 'a', end: 'b', actor: [7] })],
        [/`ports`/, (c) => c.services.set('svc:wiki', {})],
        [/`device`/, (c) => c.services.approval.get('svc:wiki')],
        [/`approved`/, (c) => c.services.approval.set('svc:wiki', '1')],
        [/`ipPort`/, (c) => c.acl.preview('{}', { ipPort: '' })],
        [/`acl`/, (c) => c.acl.validate()],
        [/`acl`/, (c) => c.acl.set(undefined, { overwrite: true })],
        [/`acl`/, (c) => c.acl.set([], { overwrite: true })],
        [/`format`/, (c) => c.acl.get({ format: 'yaml' })],
        [/`user`/, (c) => c.acl.preview('{}')],
        [/`user`/, (c) => c.acl.preview('{}', { user: '' })],
        [/`dns`/, (c) => c.dns.nameservers.set()],
        [/`dns\[0\]`/, (c) => c.dns.nameservers.set([null])],
        [/`magicDNS`/, (c) => c.dns.preferences.set({})],
        [/`magicDNS`/, (c) => c.dns.preferences.set({ magicDNS: 'yes' })],
        [/`searchPaths`/, (c) => c.dns.searchPaths.set(null)],
        [/`tailnet`/, (c) => c.withOptions({ tailnet: undefined }).devices.list()],
        [/`tailnet`/, (c) => c.dns.nameservers.get({ tailnet: '..' })],
        [/`timeout`/, (c) => c.devices.list({}, { timeout: -1 })],
        [/`timeout`/, (c) => c.devices.list({}, { timeout: Infinity })],
        [/`maxRetries`/, (c) => c.devices.list({}, { maxRetries: 1.5 })],
        [/`signal` must be an AbortSignal/, (c) => c.devices.list({}, { signal: 'stop' })],
        [/`signal` must be an AbortSignal/, (c) => c.devices.list({}, { signal: {} })],
        [/`headers\.x`/, (c) => c.devices.list({}, { headers: { x: 7 } })],
        [/x/, (c) => c.devices.list({}, { headers: { x: 'a\nb' } })],
        [/`edit` must be a function/, (c) => c.acl.update('text')],
        [/`edit` must be a function/, (c) => c.acl.update()],
        [/`attempts`/, (c) => c.acl.update((text) => text, { attempts: 0 })],
        [/`method`/, (c) => c.request('BREW', '/api/v2/pot')],
        [/`path`/, (c) => c.request('GET', 'api/v2/x')],
        [/`path`/, (c) => c.request('GET', '/api/v2/%2e%2E/x')],
        [/`path`/, (c) => c.request('GET', '/a b')],
        [/`body`/, (c) => c.request('GET', '/x', { body: {} })],
        [/BigInt/, (c) => c.request('POST', '/x', { body: { big: 1n } })],
        [/Uint8Array/, (c) => c.request('POST', '/x', { body: new Uint8Array(2) })],
        [/Promise.*await/, (c) => c.acl.set(Promise.resolve('{}'), { overwrite: true })],
        [/Map/, (c) => c.acl.preview(new Map(), { user: 'ann' })],
        [/surrogate/, (c) => c.devices.get('\ud800')],
        [/surrogate/, (c) => c.acl.set('{} // \udc00\n', { overwrite: true })],
      ]
      for (const [message, call] of wrong) {
        const promise = call(client)
        ok(promise instanceof Promise, 'errors come by the promise')
        await fails(() => promise, { name: 'InvalidArgumentError', code: 'invalid_argument', message })
      }
    },
  ],
  [
    'client options that are not valid are refused by the constructor',
    async () => {
      for (const [message, options] of [
        [/`apiKey`/, { apiKey: undefined }],
        [/`apiKey`/, { apiKey: '' }],
        [/`apiKey`/, { apiKey: ' \n' }],
        [/`apiKey`/, { apiKey: 7 }],
        [/`apiKey`/, { apiKey: {} }],
        [/`apiKey`.*colon/, { apiKey: 'tskey-x:' }],
        [/surrogate/, { tailnet: '\ud800' }],
        [/BigInt/, { timeout: 1n }],
        [/`apiKey`/, { apiKey: true }],
        [/`tailnet`/, { tailnet: '' }],
        [/`timeout`/, { timeout: NaN }],
        [/`totalTimeout`/, { totalTimeout: 'x' }],
        [/`maxRetries`/, { maxRetries: -1 }],
        [/`pathStyle`/, { pathStyle: 'org' }],
        [/`logLevel`/, { logLevel: 'loud' }],
        [/`fetch` must be a function/, { fetch: 'x' }],
        [/`fetch` must be a function/, { fetch: {} }],
        [/`hooks`/, { hooks: 7 }],
        [/`hooks.beforeRequest` must be a function/, { hooks: { beforeRequest: 'x' } }],
        [/`hooks.beforeRetry`/, { hooks: { beforeRetry: {} } }],
        [/`maxResponseBytes`/, { maxResponseBytes: -1 }],
        [/defaultHeaders|headers/, { defaultHeaders: { 'a b': 'x' } }],
      ])
        await fails(() => over(env)(() => {}, options), { code: 'invalid_argument', message })
      await fails(() => new env.kit.TailnetClient(), { code: 'invalid_argument' })
    },
  ],
  [
    'client routes.set without its check sends what it was given',
    async () => {
      const script = scripts(env)('good')
      await script.client().devices.routes.set('1', ['10.0.0.1/8', 'x'], { validate: false })
      equal(JSON.parse((await script.log())[0].body), { routes: ['10.0.0.1/8', 'x'] })
    },
  ],
]

const anything = (env) => [
  [
    'client request: operations that the kit does not name',
    async () => {
      const script = scripts(env)('accepted')
      const client = script.client()
      const { data, response } = await client
        .request('post', '/api/v2/device/1/tags', { body: { tags: ['tag:a'] }, query: { q: 'a b&c' }, headers: { 'x-extra': '1' } })
        .withResponse()
      equal([data, response.status], [{ ok: true }, 202])
      await client.request('PUT', '/raw', { body: '// text' })
      const [first, second] = await script.log()
      equal(
        [first.method, first.path, first.body, first.headers['x-extra'], first.headers.authorization],
        ['POST', '/api/v2/device/1/tags?q=a%20b%26c', '{"tags":["tag:a"]}', '1', BASIC],
      )
      equal([second.method, second.path, second.body], ['PUT', '/raw', '// text'])
      equal(await scripts(env)('text').client().request('GET', '/x'), 'plain')
      equal(await scripts(env)('empty').client().request('GET', '/x'), undefined)
      const asked = async (init) =>
        over(env)(async (request) => Response.json([request.url, await request.text(), request.headers.get('content-type')])).request('POST', '/x', init)
      equal((await asked({ query: new URLSearchParams('q=1&r=2&q=3') }))[0], 'https://api.example.com/x?q=1&q=3&r=2')
      equal((await asked({ query: { q: ['1', '2'] } }))[0], 'https://api.example.com/x?q=1&q=2')
      equal(await asked({ query: new URLSearchParams({ q: 'a b' }), body: null }), ['https://api.example.com/x?q=a%20b', '', null])
      equal(await over(env)(() => new Response(null)).request('HEAD', '/x'), undefined)
    },
  ],
  [
    'client headers: defaults, per call, removed',
    async () => {
      const seen = async (options, o) => {
        let headers
        await over(env)((request) => {
          headers = request.headers
          return Response.json({ id: '1' })
        }, options).devices.get('1', {}, o)
        return headers
      }
      equal((await seen({ defaultHeaders: { 'X-Extra': 'a' } })).get('x-extra'), 'a')
      equal((await seen({ defaultHeaders: { 'X-Extra': 'a' } }, { headers: { 'x-extra': 'b' } })).get('x-extra'), 'b')
      equal((await seen({ defaultHeaders: { 'X-Extra': 'a' } }, { headers: { 'x-extra': null } })).get('x-extra'), null)
      equal((await seen({ defaultHeaders: new Headers({ 'X-Extra': 'a' }) })).get('x-extra'), 'a')
      equal((await seen({ apiKey: null })).get('authorization'), null)
      equal((await seen({ apiKey: `  ${KEY}\n` })).get('authorization'), BASIC)
      equal((await seen({ apiKey: 'k\u00fcß日' })).get('authorization'), 'Basic a8O8w5/ml6U6')
    },
  ],
]
