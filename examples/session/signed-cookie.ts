// A session in a cookie that its signature protects: a login makes it, a gateway asks it. Must not live here: how somebody logs in.

/** Whose session it is, and until when, in milliseconds since 1970. */
export interface Session {
  user: string
  until: number
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' }
const utf8 = (text: string) => new TextEncoder().encode(text)
// An empty secret is refused here: it would be anybody's.
const keyOf = (secret: string) => crypto.subtle.importKey('raw', utf8(secret), HMAC, false, ['sign', 'verify'])
const toText = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
const toBytes = (text: string) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0))

/** The value of `Set-Cookie` after a login. `secret` is 32 random bytes or more, as text: `openssl rand -base64 32`. */
export async function cookie(session: Session, secret: string): Promise<string> {
  const said = toText(utf8(JSON.stringify(session)))
  const signature = await crypto.subtle.sign(HMAC.name, await keyOf(secret), utf8(said))
  return `session=${said}.${toText(new Uint8Array(signature))}; Path=/; HttpOnly; Secure; SameSite=Lax; Expires=${new Date(session.until).toUTCString()}`
}

/** The session of a request, or null: there is none, its signature is another's, or its time is over. */
export async function session(request: Request, secret: string): Promise<Session | null> {
  const key = await keyOf(secret)
  const [, said, signature] = request.headers.get('cookie')?.match(/(?:^|; )session=([\w-]+)\.([\w-]+)(?:;|$)/) ?? []
  if (said === undefined || signature === undefined) return null
  try {
    // `verify` takes the same time wherever the signatures differ.
    if (!(await crypto.subtle.verify(HMAC.name, key, toBytes(signature), utf8(said)))) return null
  } catch {
    return null
  }
  const found: Session = JSON.parse(new TextDecoder().decode(toBytes(said)))
  return found.until > Date.now() ? found : null
}
