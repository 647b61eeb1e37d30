// Who passed Cloudflare Access: its application in front of a Worker adds a signed token to each request. Must not live here: policies of Access.

/** `team` is `https://NAME.cloudflareaccess.com`; `audience` is the "Application Audience (AUD) tag" of the application. */
export interface Access {
  team: string
  audience: string
}

interface Claims {
  iss: string
  aud: string[]
  exp: number
  nbf?: number
  email?: string
}

type Key = JsonWebKey & { kid: string }

const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
/** Milliseconds in which keys are not read again: whoever invents the name of a key must not have us ask for it each time. */
const READ = 60_000

const bytes = (text: string) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0))
const json = (text: string) => JSON.parse(new TextDecoder().decode(bytes(text)))

/** The three parts of a token, or null where it is none. */
function parts(token: string) {
  const [head = '', body = '', signature = ''] = token.split('.')
  try {
    return { head: json(head) as { alg?: unknown; kid?: unknown }, claims: json(body) as Claims, signature: bytes(signature), said: `${head}.${body}` }
  } catch {
    return null
  }
}

/** Says of a request what its token claims, or null where it has none of this team, for this application and for now. */
export function cloudflareAccess({ team, audience }: Access): (request: Request) => Promise<Claims | null> {
  let keys: Key[] = []
  let read = Number.NEGATIVE_INFINITY

  /** Access changes its keys every few weeks. */
  async function key(kid: string): Promise<Key | undefined> {
    if (!keys.some((one) => one.kid === kid) && Date.now() - read > READ) {
      const answer = await fetch(`${team}/cdn-cgi/access/certs`)
      if (!answer.ok) throw new Error(`the keys of ${team} cannot be read: ${answer.status}`)
      ;({ keys } = (await answer.json()) as { keys: Key[] })
      read = Date.now()
    }
    return keys.find((one) => one.kid === kid)
  }

  return async (request) => {
    const token = parts(request.headers.get('cf-access-jwt-assertion') ?? '')
    // The algorithm is ours to say: a token that names another one is nobody's.
    if (token?.head.alg !== 'RS256' || typeof token.head.kid !== 'string') return null
    const found = await key(token.head.kid)
    if (!found) return null
    const ours = await crypto.subtle.importKey('jwk', found, RS256, false, ['verify'])
    if (!(await crypto.subtle.verify(RS256.name, ours, token.signature, new TextEncoder().encode(token.said)))) return null
    const { claims } = token
    const now = Date.now() / 1000
    return claims.iss === team && claims.aud.includes(audience) && claims.exp > now && (claims.nbf ?? 0) <= now ? claims : null
  }
}
