// A Worker that gives a signed-in person a key for one machine: `POST /key`. The key works once, within ten minutes, and the
// machine gets a tag. The Worker itself has no key but the secret of an OAuth client with the scope `auth_keys` and that tag; the
// key is in this answer and nowhere else. Must not live here: how people sign in.

import { TailnetClient, isTailnetError, oauth } from 'tailnet-kit/client'

interface Env {
  SERVICE_URL: string
  CLIENT_SECRET: string
  SESSION: string
  PERSON: string
}

const TAG = 'tag:web'
const LIFE = 600 // seconds

/** One for all requests of this isolate, so that they share a token. */
let apiKey: ReturnType<typeof oauth> | undefined

export default {
  async fetch(request: Request, env: Env) {
    const url = new URL(request.url)
    if (request.method !== 'POST' || url.pathname !== '/key') return refused(404, 'POST /key makes a key')
    // A page elsewhere can send this with the person's cookies, though it cannot read the answer.
    if ((request.headers.get('origin') ?? url.origin) !== url.origin) return refused(403, 'not from this page')
    const person = signedIn(request, env)
    if (!person) return refused(401, 'sign in first')
    apiKey ??= oauth({ clientSecret: env.CLIENT_SECRET, scopes: ['auth_keys'], tags: [TAG] })
    const client = new TailnetClient({ baseURL: env.SERVICE_URL, tailnet: '-', apiKey })
    try {
      const { key, expires } = await client.keys.create(
        {
          capabilities: { devices: { create: { reusable: false, ephemeral: false, preauthorized: true, tags: [TAG] } } },
          expirySeconds: LIFE,
          description: `once for ${person}`.replace(/[^a-z0-9 -]/gi, '-').slice(0, 50),
        },
        { signal: request.signal },
      )
      return Response.json({ key, expires }, { status: 201, headers: { 'cache-control': 'no-store' } })
    } catch (error) {
      if (!isTailnetError(error)) throw error
      console.error(`no key for ${person}: ${error.code}`)
      return refused(error.code === 'rate_limit' ? 429 : 502, 'no key now')
    }
  },
}

/** Ask your session store here. */
function signedIn(request: Request, env: Env) {
  const cookies = (request.headers.get('cookie') ?? '').split('; ')
  return env.SESSION && cookies.includes(`session=${env.SESSION}`) ? env.PERSON : undefined
}

const refused = (status: number, message: string) => Response.json({ message }, { status })
