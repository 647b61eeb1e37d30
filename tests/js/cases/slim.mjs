// What `tailnet-kit/slim` promises about its start. Must not live here: what the kit does once it runs.

import { equal, fails, ok } from './assert.mjs'

/** Cases of one instance, in this order. `fetchWasm` returns a new response with the file, `bytes` its bytes; `url` is its address. */
export const start = ({ slim, bytes, fetchWasm, url }) => [
  ['offline calls before the start say so', () => fails(() => slim.hujson.parse('[]'), { code: 'not_initialized', name: 'NotInitializedError' })],
  ['the version is there before the start', () => ok(/^\d+\.\d+\.\d+/.test(slim.version), 'a version')],
  [
    'bytes that are not wasm are refused',
    async () => {
      await fails(() => slim.init(new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8])), { code: 'not_initialized' })
      await fails(() => slim.initSync(new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8])), { code: 'not_initialized' })
    },
  ],
  [
    'a response that is not wasm is refused',
    async () => {
      await fails(() => slim.init(new Response('no', { status: 404 })), { code: 'not_initialized', message: /404/ })
      await fails(() => slim.init(new Response('<p>', { headers: { 'content-type': 'text/html' } })), { code: 'not_initialized', message: /HTML/ })
    },
  ],
  [
    'anything else is an invalid argument',
    async () => {
      for (const wrong of [undefined, null, 7, {}]) await fails(() => slim.init(wrong), { code: 'invalid_argument' })
      await fails(() => slim.initSync('tailnet_kit.wasm'), { code: 'invalid_argument' })
    },
  ],
  ['a file that is not there fails the start', () => fails(() => slim.init(`${url}.missing`), { code: 'not_initialized' })],
  [
    'a failed start can be repeated; parallel starts are one',
    async () => {
      let asked = 0
      const response = () =>
        fetchWasm().then((answer) => {
          asked++
          return answer
        })
      const starts = [slim.init(response()), slim.init(bytes), slim.init(Promise.reject(new Error('not needed')))]
      equal(await Promise.all(starts), [null, null, null])
      equal([asked, slim.hujson.parse('[1,]')], [1, [1]])
    },
  ],
  [
    'a second start does nothing',
    async () => {
      equal(await slim.init(url), undefined)
      equal(slim.initSync(bytes), undefined)
      equal(slim.hujson.parse('[2,]'), [2])
    },
  ],
  [
    'a call cut short by the end of the stack leaves nothing broken',
    async () => {
      const nested = `${'['.repeat(500)}1,${']'.repeat(500)}`
      // A call into the wasm takes more stack than one step of this recursion, so the stack ends inside the wasm.
      const sink = () => {
        slim.hujson.format(nested)
        return sink() + 1
      }
      const cutShort = () => {
        let end
        try {
          sink()
        } catch (error) {
          end = error
        }
        ok(end instanceof Error, 'the stack has an end')
      }
      const works = () => equal([slim.hujson.format('[1,2,]'), slim.hujson.parse('["é",]')], ['[1, 2]\n', ['é']])
      for (const _ of [1, 2, 3]) [cutShort(), works()]
      const client = new slim.TailnetClient({
        baseURL: 'http://localhost',
        apiKey: null,
        fetch: async () => Response.json({ devices: [] }),
        tailnet: 'example.com',
      })
      cutShort()
      equal(await client.devices.list(), [])
      // From here on promises may belong to the wasm, so it is not replaced.
      for (const _ of [1, 2, 3]) [cutShort(), works()]
      equal(await client.devices.list(), [])
      equal(slim.cidr.checkMany(['10.0.0.0/8']), [{ ok: true, cidr: '10.0.0.0/8', version: 4 }])
    },
  ],
]

/** One copy, `fresh()`, for each kind of input. */
export const inputs = ({ fresh, bytes, fetchWasm, url }) => {
  const given = {
    'an address': () => url,
    'a URL': () => new URL(url),
    'the promise of a response': fetchWasm,
    bytes: () => bytes,
    'an ArrayBuffer': () => Uint8Array.from(bytes).buffer,
    'a compiled module': () => new WebAssembly.Module(bytes),
    'a response without a content type': async () => new Response(bytes),
  }
  const works = (slim) => equal(slim.hujson.parse('[1,]'), [1])
  return [
    ...Object.entries(given).map(([what, input]) => [
      `init takes ${what}`,
      async () => {
        const slim = fresh()
        await slim.init(input())
        works(slim)
      },
    ]),
    ...['bytes', 'an ArrayBuffer', 'a compiled module'].map((what) => [
      `initSync takes ${what}`,
      () => {
        const slim = fresh()
        slim.initSync(given[what]())
        works(slim)
      },
    ]),
  ]
}

/** One copy, `fresh()`, for each way to start parts; `part(name)` returns the bytes of one. */
export const parts = ({ fresh, bytes, part }) => {
  const client = (slim) =>
    new slim.TailnetClient({ baseURL: 'http://localhost', apiKey: null, tailnet: 'example.com', fetch: async () => Response.json({ devices: [] }) })
  return [
    [
      'a part that was started works, others say which file they want',
      async () => {
        const slim = fresh()
        await slim.init({ text: part('text') })
        equal(
          [slim.hujson.parse('[1,]'), slim.cidr.check('10.0.0.0/8').ok, slim.policy.edit.setHost('{}', 'a', '10.0.0.1')],
          [[1], true, '{"hosts": {"a": "10.0.0.1"}}'],
        )
        await fails(() => slim.policy.check('{}'), { code: 'not_initialized', message: /`policy`/ })
        await fails(() => slim.hujson.fromJSON5('{}'), { code: 'not_initialized', message: /`json5`/ })
        await fails(() => client(slim).devices.list(), { code: 'not_initialized', message: /`client`/ })
        slim.initSync({ policy: part('policy'), client: new WebAssembly.Module(part('client')) })
        equal([slim.policy.check({ acls: [] }).accepted, await client(slim).devices.list()], [true, []])
      },
    ],
    [
      'the whole kit serves for parts that were not started',
      async () => {
        const slim = fresh()
        await slim.init({ text: part('text') })
        equal(slim.hujson.parse('[1,]'), [1])
        await slim.init(bytes)
        equal([slim.hujson.parse('[2,]'), slim.policy.check({ acls: [] }).accepted, slim.hujson.fromJSON5('[3]')], [[2], true, '[3]\n'])
      },
    ],
    [
      'an unknown file is an invalid argument',
      async () => {
        await fails(() => fresh().init({ txt: bytes }), { code: 'invalid_argument', message: /`txt`.*text, json5, client, policy/ })
        await fails(() => fresh().init({}), { code: 'invalid_argument' })
        await fails(() => fresh().initSync({ text: 'text.wasm' }), { code: 'invalid_argument' })
      },
    ],
  ]
}

/** For a page whose Content-Security-Policy forbids wasm. */
export const forbidden = ({ slim, bytes, fetchWasm }) => [
  [
    'init says that the policy of the page forbids it',
    async () => {
      const said = { code: 'not_initialized', message: /Content Security Policy.*wasm-unsafe-eval/ }
      await fails(() => slim.init(fetchWasm()), said)
      await fails(() => slim.init(bytes), said)
      await fails(() => slim.initSync(bytes), said)
    },
  ],
]
