// Each exchange of `tests/api/wire` by the method that makes it. Must not live here: the exchanges, other forms of arguments and answers (`calls.mjs`).

import { equal } from '../assert.mjs'
import { BASIC, over } from './scripted.mjs'
import EXCHANGES from './wire.mjs'

export const cases = (env) => [
  ...EXCHANGES.map((exchange) => [`client ${exchange.name}`, () => made(env, exchange)]),
  [
    'client has a method for each exchange, and no other',
    async () => {
      const client = over(env)(() => {})
      const names = Object.entries(client).flatMap(([name, value]) => methods(value, name))
      const others = ['acl.getDetails', 'acl.update']
      equal(names.filter((name) => !others.includes(name)).sort(), EXCHANGES.map(({ name }) => name).sort())
    },
  ],
]

async function made(env, { method, path, fields, body, status, headers, answer, call, result }) {
  let asked
  const [, style, tailnet] = /^\/api\/v2\/(tailnet|domain)\/([^/]+)\//.exec(path) ?? []
  const client = over(env)(
    async (request) => {
      asked = { request, body: await request.text() }
      return new Response(answer || null, { status, headers })
    },
    style && { pathStyle: style, tailnet: decodeURIComponent(tailnet) },
  )
  const given = await call(client, parsed(body, fields), fields['If-Match'])
  const { pathname, search } = new URL(asked.request.url)
  equal([asked.request.method, pathname + search], [method, path])
  equal(asked.request.headers.get('authorization'), BASIC)
  for (const [name, value] of Object.entries(fields)) equal([name, asked.request.headers.get(name)], [name, value])
  equal(parsed(asked.body, fields), parsed(body, fields))
  equal(given, result(parsed(answer, headers), headers.ETag))
}

/** A body as what it is: JSON, or text. */
const parsed = (body, { 'Content-Type': type }) => (type === 'application/json' && body !== '' ? JSON.parse(body) : body)

/** The names of the methods below a namespace. */
function methods(value, name) {
  if (typeof value === 'function') return [name]
  return Object.entries(value).flatMap(([key, inner]) => methods(inner, `${name}.${key}`))
}
