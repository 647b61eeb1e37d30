// What a call does when the service, the connection or the answer is bad. Must not live here: cancelling and time; which call is repeated after which
// failure, and which redirect is followed (`tests/client`).

import { equal, fails, ok } from '../assert.mjs'
import { BASIC, over, scripts, wait } from './scripted.mjs'

export const cases = (env) => [...statuses(env), ...retries(env), ...connections(env), ...bodies(env), ...redirects(env), ...updates(env)]

const STATUSES = [
  [400, 'BadRequestError', 'bad_request'],
  [401, 'AuthenticationError', 'authentication'],
  [403, 'PermissionDeniedError', 'permission_denied'],
  [404, 'NotFoundError', 'not_found'],
  [409, 'ConflictError', 'conflict'],
  [412, 'PreconditionFailedError', 'precondition_failed'],
  [429, 'RateLimitError', 'rate_limit'],
  [501, 'NotImplementedError', 'not_implemented'],
  [500, 'InternalServerError', 'server_error'],
  [502, 'InternalServerError', 'server_error'],
  [505, 'InternalServerError', 'server_error'],
  [405, 'APIError', 'unexpected_status'],
  [418, 'APIError', 'unexpected_status'],
]

const statuses = (env) => [
  [
    'client refusals have class, code and status',
    async () => {
      for (const [status, name, code] of STATUSES) {
        const error = await fails(() => scripts(env)(`${status}`).client({ maxRetries: 0 }).devices.get('1'), {
          name,
          code,
          status,
          message: `refused with ${status}`,
          method: 'GET',
          path: '/api/v2/device/1',
          attempts: 1,
          body: { message: `refused with ${status}` },
          details: [],
          retryAfter: null,
          requestID: null,
        })
        ok(error instanceof env.kit.APIError && error instanceof env.kit[name] && error instanceof env.kit.TailnetError, `${name} is one of its classes`)
        ok(env.kit.isTailnetError(error) && env.kit.isTailnetError(error, code) && !env.kit.isTailnetError(error, 'timeout'), 'isTailnetError knows it')
        equal(error.headers.get('content-type'), 'application/json')
      }
    },
  ],
  [
    'client refusals keep what the service says',
    async () => {
      const error = await fails(() => scripts(env)('full-refusal').client().acl.set('{}', { overwrite: true }), {
        name: 'BadRequestError',
        message: 'test(s) failed',
        requestID: 'req-7',
        details: [{ user: 'ann', errors: ['no access'] }],
      })
      equal(error.body, { message: 'test(s) failed', data: [{ user: 'ann', errors: ['no access'] }, 'odd'], more: 1 })
    },
  ],
  [
    'client refusals survive any body',
    async () => {
      const once = { maxRetries: 0 }
      await fails(() => scripts(env)('html-refusal').client(once).devices.get('1'), {
        code: 'server_error',
        status: 502,
        body: '<html>Bad gateway</html>',
        message: /502/,
      })
      await fails(() => scripts(env)('empty-refusal').client(once).devices.get('1'), { code: 'not_found', status: 404, body: null })
      await fails(() => scripts(env)('cut-refusal').client(once).devices.get('1'), { code: 'permission_denied', status: 403 })
      await fails(
        () =>
          scripts(env)('big-refusal')
            .client({ ...once, maxResponseBytes: 1000 })
            .devices.get('1'),
        { code: 'permission_denied', status: 403 },
      )
    },
  ],
]

const retries = (env) => [
  [
    'client repeats what may be repeated, and only that',
    async () => {
      const sent = async (name, call, options) => {
        const script = scripts(env)(name)
        const outcome = await call(script.client(options)).then(
          () => 'ok',
          (error) => `${error.code} ${error.attempts}`,
        )
        return [outcome, (await script.log()).length]
      }
      const read = (c) => c.devices.list()
      const write = (c) => c.acl.set('{}', { overwrite: true })
      equal(await sent('503-once', read), ['ok', 2])
      equal(await sent('503-once', write), ['server_error 1', 1])
      equal(await sent('503-always', read, { maxRetries: 4 }), ['server_error 5', 5])
      equal(await sent('503-always', (c) => c.devices.list({}, { maxRetries: 0 })), ['server_error 1', 1])
    },
  ],
  [
    'client waits as long as the service asks, or half a second less a random part',
    async () => {
      const pauses = []
      const client = (name) =>
        scripts(env)(name).client({
          hooks: {
            beforeRetry: ({ delay }) => {
              pauses.push(delay)
            },
          },
        })
      const began = Date.now()
      await client('429-bare').devices.list()
      ok(pauses[0] >= 375 && pauses[0] <= 500 && Date.now() - began >= pauses[0] - 5, `a pause of ${pauses[0]}`)
      await fails(() => client('429-later').devices.list(), { code: 'rate_limit', retryAfter: 120, attempts: 1 })
      equal(pauses.length, 1)
    },
  ],
  [
    'client calls a hook before each repetition',
    async () => {
      const told = []
      const client = scripts(env)('503-always').client({
        hooks: {
          beforeRetry: (info) => {
            told.push(info)
          },
        },
      })
      await fails(() => client.devices.get('1'), { attempts: 3 })
      equal(
        told.map(({ attempt, delay, method, path }) => [attempt, delay, method, path]),
        [
          [1, 0, 'GET', '/api/v2/device/1'],
          [2, 0, 'GET', '/api/v2/device/1'],
        ],
      )
      ok(told[0].error instanceof env.kit.InternalServerError && told[0].error.status === 503, 'the hook sees the error')
    },
  ],
]

const connections = (env) => [
  [
    'client connection failures are `connection`, repeated where that is safe',
    async () => {
      const once = { maxRetries: 0 }
      for (const name of ['cut-before-headers', 'cut-after-headers', 'cut-body']) {
        const error = await fails(() => scripts(env)(name).client(once).devices.list(), {
          name: 'APIConnectionError',
          code: 'connection',
          attempts: 1,
          method: 'GET',
        })
        ok(error.cause !== undefined, 'the cause is kept')
      }
      await fails(() => scripts(env)('cut-body').client(once).devices.list(), { status: 200 })
      await fails(
        () =>
          over(env)(() => {
            throw new TypeError('unplugged')
          }, once).devices.list(),
        { code: 'connection', message: /unplugged/ },
      )
      equal((await scripts(env)('cut-once').client().devices.list()).length, 2)
      equal((await scripts(env)('cut-body-once').client().devices.list()).length, 2)
    },
  ],
  [
    'client copes with whatever fetch rejects with or returns',
    async () => {
      const once = { maxRetries: 0 }
      for (const thrown of ['text', undefined, null, 7, { code: 'not_found' }]) {
        const error = await fails(
          () =>
            over(env)(() => {
              throw thrown
            }, once).devices.list(),
          { code: 'connection' },
        )
        equal(error.cause, thrown)
      }
      for (const odd of [undefined, null, 'x', {}, []]) await fails(() => over(env)(() => odd, once).devices.list(), { code: 'connection' })
      const duck = { status: 200, ok: true, headers: new Headers(), text: async () => '{"devices": [{"id": "9"}]}' }
      equal(await over(env)(() => duck).devices.list(), [{ id: '9' }])
      equal(await over(env)(() => ({ status: 200, text: () => '{"id": "9"}' })).devices.get('9'), { id: '9' })
      const refusal = await fails(() => over(env)(() => ({ status: 404 }), once).devices.list(), { code: 'not_found' })
      ok(typeof refusal.headers.get === 'function', 'there are headers always')
    },
  ],
  [
    'client calls fetch without `this`, with whatever it returns',
    async () => {
      const seen = []
      const fetch = function (...args) {
        // Code that is not strict gets the global object in place of an undefined `this`.
        seen.push(this === undefined || this === globalThis, typeof args[0])
        return { then: (resolve) => resolve(Response.json({ id: '1' })) }
      }
      equal(await over(env)(null, { fetch }).devices.get('1'), { id: '1' })
      equal(seen, [true, 'string'])
      const { fetch: original } = globalThis
      try {
        globalThis.fetch = async () => Response.json({ id: 'patched' })
        for (const fetch of [undefined, null]) equal(await over(env)(null, { fetch, logger: fetch }).devices.get('1'), { id: 'patched' })
      } finally {
        globalThis.fetch = original
      }
    },
  ],
]

const bodies = (env) => [
  [
    'client errors about unexpected answers say where',
    async () => {
      const malformed = { name: 'APIResponseError', code: 'malformed_response', status: 200, attempts: 1 }
      const list = (name) => () => scripts(env)(name).client().devices.list()
      const html = await fails(list('not-json'), { ...malformed, message: /JSON/, body: '<html>a proxy says hello</html>' })
      equal(html.headers.get('content-type'), 'text/html')
      await fails(list('cut-json'), { ...malformed, body: '{"devices": [{"id": "1"' })
      await fails(list('empty'), { ...malformed, body: null })
      await fails(list('list'), { ...malformed, body: [] })
      await fails(list('no-list'), { ...malformed, message: /`devices`/ })
      await fails(list('no-id'), { ...malformed, message: /`devices\[1\]\.id`/ })
      await fails(list('null-device'), { ...malformed, message: /`devices\[0\]\.id`/ })
      const { dns, devices, acl } = scripts(env)('no-list').client()
      await fails(() => dns.nameservers.get(), { ...malformed, message: /`dns`/ })
      await fails(() => dns.preferences.get(), { ...malformed, message: /`magicDNS`/ })
      await fails(() => dns.searchPaths.get(), { ...malformed, message: /`searchPaths`/ })
      await fails(() => devices.routes.get('1'), { ...malformed, message: /`advertisedRoutes`/ })
      await fails(() => devices.get('1'), { ...malformed, message: /`id`/ })
      await fails(() => acl.preview('{}', { user: 'a' }), { ...malformed, message: /`matches`/ })
      equal(await scripts(env)('not-json').client().devices.delete('1'), undefined)
    },
  ],
  [
    'client lists of strings hold strings, rules are objects',
    async () => {
      const odd = (body) => over(env)(() => Response.json(body))
      const malformed = (at) => ({ code: 'malformed_response', message: new RegExp(`\`${at}\` is not a list of`) })
      await fails(() => odd({ dns: ['8.8.8.8', 1] }).dns.nameservers.get(), malformed('dns'))
      await fails(() => odd({ searchPaths: [null] }).dns.searchPaths.get(), malformed('searchPaths'))
      await fails(() => odd({ advertisedRoutes: [], enabledRoutes: [{}] }).devices.routes.get('1'), malformed('enabledRoutes'))
      await fails(() => odd({ matches: [null] }).acl.preview('{}', { user: 'a' }), malformed('matches'))
    },
  ],
  [
    'client errors about unexpected answers to an administrator say where, and lists may be missing',
    async () => {
      const answered = (body) => over(env)(() => Response.json(body))
      const hook = { endpointUrl: 'https://a.example', subscriptions: ['nodeCreated'] }
      const window = { start: 'a', end: 'b' }
      for (const [at, body, call] of [
        ['endpointId', {}, (c) => c.webhooks.get('w1')],
        ['secret', { endpointId: 'w1' }, (c) => c.webhooks.create(hook)],
        ['secret', { endpointId: 'w1', secret: null }, (c) => c.webhooks.rotateSecret('w1')],
        ['webhooks', { webhooks: {} }, (c) => c.webhooks.list()],
        ['name', { addrs: [] }, (c) => c.services.get('svc:a')],
        ['vipServices', { vipServices: 'none' }, (c) => c.services.list()],
        ['autoApproved', { approved: true }, (c) => c.services.approval.get('svc:a', '1')],
        ['logs', { logs: {} }, (c) => c.logs.audit(window)],
        ['id', { provider: 'kandji' }, (c) => c.postureIntegrations.get('p1')],
      ])
        await fails(() => call(answered(body)), { name: 'APIResponseError', code: 'malformed_response', message: new RegExp(`\`${at}\` is not`) })
      const lists = [
        (c) => c.webhooks.list(),
        (c) => c.services.list(),
        (c) => c.services.hosts('svc:a'),
        (c) => c.logs.audit(window),
        (c) => c.logs.network(window),
        (c) => c.postureIntegrations.list(),
      ]
      for (const body of [{}, null]) for (const list of lists) equal(await list(answered(body)), [])
      for (const nothing of [
        (c) => c.webhooks.test('w1'),
        (c) => c.webhooks.delete('w1'),
        (c) => c.services.delete('svc:a'),
        (c) => c.postureIntegrations.delete('p1'),
      ]) {
        for (const body of ['', 'null', '{}']) equal(await nothing(over(env)(() => new Response(body))), undefined)
      }
    },
  ],
  [
    'client takes a network error in the form of a response as one',
    async () => {
      const failed = over(env)(() => Response.error(), { maxRetries: 0 })
      await fails(() => failed.devices.get('1'), { name: 'APIConnectionError', code: 'connection' })
    },
  ],
  [
    'client null lists are empty, and nothing else is touched',
    async () => {
      const { dns, devices, acl } = scripts(env)('null-lists').client()
      equal([await devices.list(), (await dns.nameservers.get()).dns, (await dns.searchPaths.get()).searchPaths], [[], [], []])
      const routes = await devices.routes.get('1')
      equal([routes.enabledRoutes, routes.advertisedRoutes], [[], []])
      equal((await acl.preview('{}', { user: 'ann' })).matches, [])
      const bare = { matches: [{ users: null, lineNumber: 7 }] }
      equal((await over(env)(() => Response.json(bare)).acl.preview('{}', { user: 'ann' })).matches, [{ users: [], ports: [], lineNumber: 7 }])
      const [device] = await scripts(env)('odd-fields').client().devices.list()
      equal(JSON.stringify(device), '{"z":null,"id":"9","a":{"b":[1.5,"ü",9007199254740992]},"__proto__":{"x":1},"tags":null}')
      equal(Object.getPrototypeOf(device) === Object.prototype || typeof device === 'object', true)
      equal(await scripts(env)('lone-preview').client().acl.preview('{}', { user: 'ann' }), {
        matches: [{ users: ['*'], ports: ['*:*'], lineNumber: null }],
        user: 'ann',
      })
    },
  ],
  [
    'client gives the DNS configuration that was sent where the answer is empty, and what the service says where it is not',
    async () => {
      const sent = { nameservers: [{ address: '9.9.9.9', useWithExitNode: true }], preferences: { magicDNS: true } }
      const set = (body) => over(env)(() => new Response(body, { headers: { 'Content-Type': 'application/json' } })).dns.configuration.set(sent)
      for (const empty of [null, '', 'null', '{}']) equal(await set(empty), sent)
      equal(await set('{"searchPaths":["a.example"]}'), { searchPaths: ['a.example'] })
      await fails(() => set('[]'), { code: 'malformed_response' })
    },
  ],
  [
    'client characters that arrive in pieces are whole',
    async () => {
      const { client } = scripts(env)('drip')
      equal((await client().devices.list())[1].note, 'größer 日本 \u{1F600}')
      ok((await client().acl.get()).text.startsWith('// Größe 日本 \u{1F600}\r\n'), 'the text is whole')
    },
  ],
  [
    'client JSON that is no UTF-8 is read as `response.json()` reads it, whatever the pieces',
    async () => {
      equal(await scripts(env)('drip-not-utf8').client().devices.list(), [{ id: '1', hostname: 'a\ufffdb\ufffdü\ufffd' }])
      await fails(() => scripts(env)('drip-not-utf8').client().acl.get(), { code: 'malformed_response', message: /UTF-8/ })
    },
  ],
  [
    'client reads no more than it may',
    async () => {
      for (const name of ['big', 'big-chunked', 'big-compressed']) {
        await fails(() => scripts(env)(name).client({ maxResponseBytes: 100_000 }).devices.list(), {
          name: 'APIResponseError',
          code: 'malformed_response',
          status: 200,
          message: /100000 bytes/,
        })
        equal((await scripts(env)(name).client({ maxResponseBytes: 300_000 }).devices.list()).length, 1)
      }
    },
  ],
]

const redirects = (env) => [
  [
    'client follows redirects within the origin, and never brings the key to another',
    async () => {
      const near = scripts(env)('moved-307')
      equal((await near.client().devices.get('1')).id, '1')
      const last = (await near.log()).at(-1)
      equal([last.path, last.headers.authorization], ['/moved/api/v2/device/1', BASIC])
      const far = scripts(env)('moved-away')
      await fails(() => far.client({ maxRetries: 0 }).devices.get('1'), { name: 'APIConnectionError', code: 'connection' })
      const strangers = (await far.log()).filter(({ path }) => path.startsWith('/moved'))
      equal(
        strangers.filter(({ headers }) => headers.authorization !== undefined),
        [],
      )
    },
  ],
]

const updates = (env) => [
  [
    'client acl.update edits again after a conflict',
    async () => {
      const script = scripts(env)('contested-1')
      const texts = []
      const acl = await script.client().acl.update(async (text) => {
        await wait(1)
        texts.push(text)
        return text.replace('*:*', '*:443')
      })
      equal([acl.format, acl.etag, texts.length, acl.text.includes('*:443')], ['hujson', '"new"', 2, true])
      const writes = (await script.log()).filter(({ method }) => method === 'POST')
      equal(
        writes.map(({ headers }) => headers['if-match']),
        ['"v0"', '"v1"'],
      )
    },
  ],
  [
    'client acl.update gives up with the last conflict as its cause',
    async () => {
      const script = scripts(env)('contested-9')
      const error = await fails(() => script.client().acl.update((text) => text, { attempts: 2 }), {
        name: 'PreconditionFailedError',
        code: 'precondition_failed',
        status: 412,
      })
      ok(error.cause instanceof env.kit.PreconditionFailedError && error.cause.status === 412, 'the cause is the conflict')
      equal(
        (await script.log()).map(({ method }) => method),
        ['GET', 'POST', 'GET', 'POST'],
      )
    },
  ],
  [
    'client acl.update writes nothing it should not',
    async () => {
      const reads = async (call, expected, name = 'contested-1') => {
        const script = scripts(env)(name)
        const error = await fails(() => call(script.client().acl), expected)
        equal(
          (await script.log()).map(({ method }) => method),
          ['GET'],
        )
        return error
      }
      const mine = new RangeError('mine')
      equal(
        (await reads(
          (acl) =>
            acl.update(() => {
              throw mine
            }),
          { name: 'RangeError' },
        )) === mine,
        true,
      )
      equal(
        (await reads(
          (acl) =>
            acl.update(async () => {
              throw mine
            }),
          { name: 'RangeError' },
        )) === mine,
        true,
      )
      await reads((acl) => acl.update(() => undefined), { code: 'invalid_argument', message: /edit/ })
      const refused = await reads((acl) => acl.update(() => '{"acls": [{"action": "drop", "src": [], "dst": []}]}'), {
        name: 'PolicyRefusedError',
        code: 'policy_refused',
      })
      equal([refused.check.accepted, refused.check.issues.length > 0], [false, true])
      await reads((acl) => acl.update(() => '{"acls": '), { code: 'policy_refused' })
      await reads((acl) => acl.update((text) => text), { name: 'ETagUnavailableError', code: 'etag_unavailable' }, 'no-etag')
      equal(
        (
          await scripts(env)('good')
            .client()
            .acl.update(() => '{"acls": ', { check: false })
        ).text,
        '{"acls": ',
      )
    },
  ],
]
