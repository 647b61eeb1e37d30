// Time limits, abort signals, hooks, logs, secrets: what a caller controls. Must not live here: requests and answers.

import { equal, fails, ok } from '../assert.mjs'
import { BASIC, KEY, SOON, over, scripts, wait } from './scripted.mjs'

export const cases = (env) => [...time(env), ...cancelling(env), ...hooks(env), ...keys(env), ...shape(env)]

/** How long a failure took, in milliseconds. */
async function took(body, expected) {
  const began = Date.now()
  const error = await fails(body, expected)
  return [Date.now() - began, error]
}

const time = (env) => [
  [
    'client timeout covers headers and body of each attempt',
    async () => {
      const late = { name: 'APIConnectionTimeoutError', code: 'timeout', attempts: 1 }
      for (const name of ['never', 'never-ending', 'drip-slowly']) {
        const [ms, error] = await took(() => scripts(env)(name).client({ timeout: 150, maxRetries: 0 }).devices.list(), late)
        ok(ms >= 140 && ms < SOON, `${name} took ${ms} ms`)
        ok(error instanceof env.kit.APIConnectionError, 'a timeout is a connection error')
      }
      await took(() => scripts(env)('never').client({ maxRetries: 0 }).devices.list({}, { timeout: 50 }), late)
      equal((await scripts(env)('drip').client({ timeout: 0 }).devices.list()).length, 2)
      await fails(() => scripts(env)('never').client({ timeout: 50, maxRetries: 1 }).devices.list(), { code: 'timeout', attempts: 2 })
    },
  ],
  [
    'client totalTimeout covers attempts and pauses',
    async () => {
      const [ms] = await took(() => scripts(env)('never').client({ timeout: 100, totalTimeout: 250, maxRetries: 9 }).devices.list(), { code: 'timeout' })
      ok(ms < SOON, `it took ${ms} ms`)
      const [paused, error] = await took(() => scripts(env)('503-slowly').client({ totalTimeout: 300 }).devices.list(), { code: 'timeout' })
      ok(paused < SOON && error.cause?.status === 503, 'a pause beyond the end is not begun, and the last failure is the cause')
    },
  ],
]

const cancelling = (env) => [
  [
    'client signal ends a call wherever it is, with any reason',
    async () => {
      for (const [name, reason] of [
        ['never', 'text'],
        ['never-ending', new Error('enough')],
        ['drip-slowly', { code: 'not_found' }],
        ['503-slowly', null],
      ]) {
        const controller = new AbortController()
        setTimeout(() => controller.abort(reason), 100)
        const [ms, error] = await took(() => scripts(env)(name).client().devices.list({}, { signal: controller.signal }), {
          name: 'APIUserAbortError',
          code: 'aborted',
        })
        ok(ms < SOON, `${name} took ${ms} ms`)
        ok(Object.is(error.cause, controller.signal.reason), 'the reason is the cause')
      }
      const script = scripts(env)('good')
      await fails(() => script.client().devices.list({}, { signal: AbortSignal.abort('early') }), { code: 'aborted', cause: 'early' })
      equal(await script.log(), [])
      const [ms] = await took(
        () =>
          scripts(env)('never')
            .client()
            .devices.list({}, { signal: AbortSignal.timeout(50) }),
        { code: 'aborted' },
      )
      ok(ms < SOON, 'AbortSignal.timeout works')
    },
  ],
  [
    'client signal ends a call whose fetch, key or hook ignores it',
    async () => {
      const forever = () => new Promise(() => {})
      // Unlike the timer of AbortSignal.timeout, this one keeps Node running.
      const soon = () => {
        const controller = new AbortController()
        setTimeout(() => controller.abort(), 30)
        return controller.signal
      }
      for (const options of [{ fetch: forever }, { apiKey: forever }, { hooks: { beforeRequest: forever } }, { hooks: { afterResponse: forever } }]) {
        const client = over(env)(() => Response.json({ id: '1' }), options)
        await fails(() => client.devices.get('1', {}, { signal: soon() }), { code: 'aborted' })
      }
      const edited = over(env)(() => new Response('{}', { headers: { etag: '"1"' } })).acl.update(forever, { signal: soon() })
      await fails(() => edited, { code: 'aborted' })
      await fails(() => over(env)(null, { fetch: forever, timeout: 30, maxRetries: 0 }).devices.get('1'), { code: 'timeout' })
    },
  ],
  [
    'client close ends what is under way, and every later call',
    async () => {
      const client = scripts(env)('never').client()
      const open = [client.devices.list(), client.acl.get().withResponse(), client.acl.update((text) => text)]
      setTimeout(() => client.close(), 50)
      for (const call of open) await fails(() => call, { name: 'APIUserAbortError', code: 'aborted' })
      await fails(() => client.devices.list(), { code: 'aborted' })
      client.close()
      equal((await scripts(env)('good').client().devices.list()).length, 2)
      if (Symbol.dispose) equal(typeof client[Symbol.dispose], 'function')
    },
  ],
  [
    'client calls leave no listener and no timer behind',
    async () => {
      const { setTimeout: set, clearTimeout: clear } = globalThis
      const { signal } = new AbortController()
      let listeners = 0
      const timers = new Set()
      const count = (name, step) => {
        const original = signal[name].bind(signal)
        signal[name] = (...args) => {
          listeners += step
          return original(...args)
        }
      }
      count('addEventListener', 1)
      count('removeEventListener', -1)
      globalThis.setTimeout = (...args) => {
        const id = set(...args)
        timers.add(id)
        return id
      }
      globalThis.clearTimeout = (id) => {
        timers.delete(id)
        return clear(id)
      }
      try {
        const good = over(env)(() => Response.json({ id: '1' }))
        const bad = over(env)(() => new Response('', { status: 503, headers: { 'retry-after': '0' } }), { maxRetries: 1 })
        for (let round = 0; round < 50; round++) {
          await Promise.all(Array.from({ length: 10 }, () => good.devices.get('1', {}, { signal })))
          await fails(() => bad.devices.get('1', {}, { signal }), { code: 'server_error' })
        }
      } finally {
        Object.assign(globalThis, { setTimeout: set, clearTimeout: clear })
      }
      // A timer that has fired needs no clearing, but is still in the set here.
      equal([listeners, [...timers].filter((id) => typeof id === 'object' && id.hasRef?.() && !id._destroyed).length], [0, 0])
    },
  ],
]

const hooks = (env) => [
  [
    'client hooks see, change and replace',
    async () => {
      const seen = []
      const script = scripts(env)('good')
      const change = {
        beforeRequest(request) {
          seen.push(['before', request.method, request.headers.get('authorization'), this === change])
          request.headers.set('x-extra', 'set')
        },
        async afterResponse(request, response) {
          await wait(1)
          seen.push(['after', request.method, response.status])
        },
      }
      equal((await script.client({ hooks: change }).dns.nameservers.set(['8.8.8.8'])).dns, ['8.8.8.8'])
      equal(seen, [
        ['before', 'POST', BASIC, true],
        ['after', 'POST', 200],
      ])
      const [sent] = await script.log()
      equal([sent.headers['x-extra'], sent.body], ['set', '{"dns":["8.8.8.8"]}'])

      const canned = { beforeRequest: () => Response.json({ id: 'canned' }) }
      equal(
        await over(env)(
          () => {
            throw new Error('sent')
          },
          { hooks: canned },
        ).devices.get('1'),
        { id: 'canned' },
      )
      const moved = { beforeRequest: (request) => new Request('https://other.example/x', request) }
      equal(await over(env)(({ url }) => Response.json({ id: url }), { hooks: moved }).devices.get('1'), { id: 'https://other.example/x' })
      const urls = []
      const told = {
        ...moved,
        afterResponse: ({ url }) => {
          urls.push(url)
        },
      }
      await over(env)(() => Response.json({ id: '1' }), { hooks: told }).devices.get('1')
      equal(urls, ['https://other.example/x'])
      const alone = {
        afterResponse: (request, { status }) => {
          urls.push([request.method, request.url.split('/').slice(-2), status])
        },
      }
      await over(env)(() => Response.json({ id: '1' }), { hooks: alone }).devices.get('1')
      equal(urls.slice(1), [['GET', ['device', '1'], 200]])
      const replaced = { afterResponse: () => Response.json({ id: 'replaced' }) }
      const { data, response } = await over(env)(() => new Response('', { status: 500 }), { hooks: replaced })
        .devices.get('1')
        .withResponse()
      equal([data, response.status], [{ id: 'replaced' }, 200])
    },
  ],
  [
    'client hooks that throw end the call with their own error',
    async () => {
      const mine = new RangeError('mine')
      const fail = () => {
        throw mine
      }
      for (const hooks of [{ beforeRequest: fail }, { afterResponse: fail }, { beforeRetry: async () => fail() }]) {
        const client = over(env)(() => new Response('', { status: 503 }), { hooks })
        equal((await fails(() => client.devices.get('1'), { name: 'RangeError' })) === mine, true)
      }
    },
  ],
  [
    'client hooks that consume a body fail at once',
    async () => {
      const read = async (...seen) => {
        await seen.at(-1).text()
      }
      let sent = 0
      const answered = (hooks) =>
        over(env)(
          () => {
            sent += 1
            return Response.json({ dns: [] })
          },
          { hooks },
        ).dns.nameservers
      await fails(() => answered({ afterResponse: read }).get(), { code: 'invalid_argument', message: /hooks\.afterResponse.*clone/ })
      await fails(() => answered({ beforeRequest: read }).set([]), { code: 'invalid_argument', message: /hooks\.beforeRequest.*clone/ })
      equal(sent, 1)
      equal((await answered({ afterResponse: (_, response) => read(response.clone()) }).get()).dns, [])
    },
  ],
  [
    'client logs to any logger, at the level that is set',
    async () => {
      const lines = []
      const logger = Object.fromEntries(['error', 'warn', 'info', 'debug'].map((level) => [level, (...args) => lines.push([level, args.join(' ')])]))
      await scripts(env)('503-once').client({ logger, logLevel: 'debug' }).devices.get('1')
      equal(
        lines.map(([level]) => level),
        ['debug', 'info', 'debug'],
      )
      ok(
        lines.every(([, line]) => !line.includes(KEY) && !line.includes('c2NyaXB0ZWQ') && line.includes('device/1')),
        'lines name the call, not the key',
      )
      lines.length = 0
      await scripts(env)('503-once').client({ logger }).devices.get('1')
      await scripts(env)('503-once').client({ logger, logLevel: 'off' }).devices.get('1')
      equal(lines, [])
      const broken = {
        debug() {
          throw new Error('full')
        },
      }
      equal((await scripts(env)('good').client({ logger: broken, logLevel: 'debug' }).devices.get('1')).id, '1')
    },
  ],
]

const keys = (env) => [
  [
    'client time limits hold for the functions of the caller too',
    async () => {
      const never = () => new Promise(() => {})
      const busy = () => new Response('', { status: 429, headers: { 'retry-after': '0' } })
      await fails(() => over(env)(busy, { apiKey: never, timeout: 30, maxRetries: 0 }).devices.get('1'), {
        name: 'APIConnectionTimeoutError',
        code: 'timeout',
        attempts: 1,
      })
      for (const options of [{ apiKey: never }, { hooks: { beforeRequest: never } }, { hooks: { beforeRetry: never } }]) {
        await fails(() => over(env)(busy, { ...options, timeout: 0, totalTimeout: 30 }).devices.get('1'), { code: 'timeout' })
      }
    },
  ],
  [
    'client asks a key function once for each attempt',
    async () => {
      let asked = 0
      const script = scripts(env)('503-once')
      await script.client({ apiKey: async () => `key-${++asked}` }).devices.get('1')
      const expected = ['key-1:', 'key-2:'].map((pair) => `Basic ${btoa(pair)}`)
      equal(
        (await script.log()).map(({ headers }) => headers.authorization),
        expected,
      )
      for (const wrong of [undefined, '', 7])
        await fails(() => script.client({ apiKey: () => wrong }).devices.get('1'), { code: 'invalid_argument', message: /apiKey/ })
      await fails(
        () =>
          script
            .client({
              apiKey: () => {
                throw new RangeError('vault')
              },
            })
            .devices.get('1'),
        { name: 'RangeError' },
      )
    },
  ],
  [
    'client keeps the key to itself',
    async () => {
      const client = scripts(env)('echo').client()
      const error = await fails(() => client.devices.get('1'), { code: 'permission_denied', message: /not with Basic \[redacted\]/ })
      const printed = [client, error].flatMap((value) => [JSON.stringify(value), String(value), String(value.stack), JSON.stringify(value.body)])
      ok(!printed.some((text) => text !== undefined && (text.includes(KEY) || text.includes('c2NyaXB0ZWQ'))), 'no print shows the key')
    },
  ],
  [
    'client keeps the key out of the part of a malformed answer that it keeps',
    async () => {
      for (const body of [`${KEY} says ${BASIC}`, `{"devices": ["${KEY}"]}`]) {
        const error = await fails(() => over(env)(() => new Response(body)).devices.list(), { code: 'malformed_response' })
        const printed = [JSON.stringify(error), error.message, error.stack].join()
        ok(printed.includes('[redacted]') && !printed.includes(KEY) && !printed.includes(BASIC.slice(6)), 'no print shows the key')
      }
    },
  ],
  [
    'client keeps the key out of the words of a failed fetch',
    async () => {
      const client = over(env)(
        ({ headers }) => {
          throw new TypeError(`no way with ${headers.get('authorization')}`)
        },
        { maxRetries: 0 },
      )
      await fails(() => client.devices.get('1'), { code: 'connection', message: /no way with Basic \[redacted\]$/ })
    },
  ],
  [
    'client errors show no cookie and no key in their headers',
    async () => {
      const headers = { 'x-cookie': 'kept', 'x-echo': `${KEY} ${BASIC}`, 'proxy-authorization': 'x' }
      const refused = over(env)(() => new Response('{}', { status: 400, headers }))
      const malformed = over(env)(() => ({ status: 200, headers: new Map([['set-cookie', 'sid=1'], ...Object.entries(headers)]), text: () => '' }))
      const { headers: told } = await fails(() => refused.devices.get('1'), { code: 'bad_request' })
      equal(
        ['x-cookie', 'x-echo', 'proxy-authorization'].map((name) => told.get(name)),
        ['kept', '[redacted] Basic [redacted]', '[redacted]'],
      )
      const { headers: kept } = await fails(() => malformed.devices.get('1'), { code: 'malformed_response' })
      ok(!JSON.stringify([...kept]).includes('sid'), 'no cookie is shown')
      equal([kept.get('x-cookie'), kept.get('proxy-authorization')], ['kept', '[redacted]'])
    },
  ],
  [
    'client keeps keys out of pages',
    async () => {
      const make = (options) => new env.kit.TailnetClient({ baseURL: 'https://api.example.com', apiKey: KEY, ...options })
      if (env.runtime === 'page') {
        await fails(() => make(), { code: 'invalid_argument', message: /apiKey: null.*dangerouslyAllowBrowser/ })
        await fails(() => make({ apiKey: () => KEY }), { code: 'invalid_argument', message: /dangerouslyAllowBrowser/ })
      } else make()
      make({ apiKey: null })
      make({ dangerouslyAllowBrowser: true })
    },
  ],
]

const shape = (env) => [
  [
    'client withResponse gives both; a rejection is handled once',
    async () => {
      const { data, response } = await scripts(env)('good').client().acl.get().withResponse()
      equal([data.format, response.status, response.headers.get('etag')], ['hujson', 200, '"e1"'])
      const call = scripts(env)('404').client().devices.get('1')
      await fails(() => call.withResponse(), { code: 'not_found' })
      await wait(20)
      equal(
        await scripts(env)('good')
          .client()
          .devices.get('1')
          .then(({ id }) => id)
          .finally(() => {}),
        '1',
      )
    },
  ],
  [
    'client withOptions is another client; options are captured',
    async () => {
      let seen
      const fetch = async (input, init) => {
        const { url, headers } = new Request(input, init)
        seen = [new URL(url).pathname, headers.get('x')]
        return Response.json({ devices: [] })
      }
      const options = {
        baseURL: 'https://api.example.com',
        apiKey: KEY,
        tailnet: 'a.example',
        dangerouslyAllowBrowser: true,
        defaultHeaders: { x: '1' },
        fetch,
      }
      const client = new env.kit.TailnetClient(options)
      const other = client.withOptions({ tailnet: 'b.example' })
      options.tailnet = 'c.example'
      options.defaultHeaders.x = '2'
      await client.devices.list()
      equal(seen, ['/api/v2/tailnet/a.example/devices', '1'])
      client.close()
      await other.devices.list()
      equal(seen, ['/api/v2/tailnet/b.example/devices', '1'])
      await fails(() => client.withOptions({ timeout: -1 }), { code: 'invalid_argument' })
    },
  ],
  [
    'client calls run side by side',
    async () => {
      const client = scripts(env)('drip').client()
      const lists = await Promise.all(Array.from({ length: 8 }, () => client.devices.list()))
      equal(
        lists.map((list) => list.length),
        Array(8).fill(2),
      )
    },
  ],
]
