// Who may call a sandbox: under which `Host`, and from which pages; and the CORS headers for those. Any page that a person opens
// can send requests to that person's machine, so a page that may not call is refused whatever it asks for.
// Must not live here: how requests come in, keys.

import { invalid } from './arguments.js'

/** Names and addresses of this machine, from which nobody else can serve a page (RFC 6761, section 6.3). */
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i
const PORT = /:\d*$/
const EXPOSED = 'ETag, Retry-After, X-Tailscale-Request-Id'
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'

const nameOf = (host) => host.replace(PORT, '')

/** Whether a host, with or without port, is this machine. */
export const isLoopback = (host) => LOOPBACK.test(nameOf(host))

/** The host of an origin as a URL writes it; undefined for `null` and for text that is not an origin. */
function hostOf(origin) {
  try {
    const url = new URL(origin)
    return url.origin === origin ? url.host : undefined
  } catch {
    return undefined
  }
}

/** Whether this is a preflight of CORS. `of` returns the value of a header. */
export const isPreflight = (method, of) => method === 'OPTIONS' && Boolean(of('access-control-request-method'))

/**
 * The rules for one sandbox. Pages of loopback, of the sandbox's own host and of these `origins` may call it. `Host` must be
 * loopback or one of `hosts`; without `hosts` it may be anything. Throws `invalid_argument`.
 */
export function visitors({ origins, hosts }) {
  const pages = new Set(listed('origins', origins, isOrigin, 'an origin, such as https://dash.example'))
  const names = hosts && new Set(listed('hosts', hosts, isHost, 'a host, such as sandbox.example').map((host) => host.toLowerCase()))

  const isNamed = (host) => names.has(host) || names.has(nameOf(host))
  const isKnown = (host, address) => !names || isLoopback(host) || isNamed(host.toLowerCase()) || [address, `[${address}]`].includes(nameOf(host))
  const mayCall = (origin, host) => {
    if (pages.has(origin)) return true
    const from = hostOf(origin)
    return from !== undefined && (isLoopback(from) || from === host.toLowerCase())
  }

  /**
   * Why the request to `host` is refused; undefined where it may pass. `of` returns the value of a header. `address` is the
   * server's address that the request was sent to, where that is known: a `Host` of that address is not somebody else's name.
   */
  const refused = (host, of, address) => {
    if (!isKnown(host, address)) return `the host \`${host}\` is not one of this sandbox's: name it when you start it`
    const origin = of('origin')
    // Browsers leave out `Origin` only where a request changes nothing and the page cannot read the answer. This is a second fence.
    if (!origin) return of('sec-fetch-site') === 'cross-site' ? 'pages of other sites may not call this sandbox' : undefined
    return mayCall(origin, host) ? undefined : `pages of \`${origin}\` may not call this sandbox: name it when you start it`
  }

  return { refused, allowing, preflight }
}

/** Headers that let the page of a request read its answer. */
export function allowing(of) {
  const origin = of('origin')
  const vary = ['vary', 'Origin']
  return origin ? [['access-control-allow-origin', origin], ['access-control-expose-headers', EXPOSED], vary] : [vary]
}

/** The answer to the preflight of a page that may call. */
function preflight(of) {
  const headers = [
    ['access-control-allow-methods', METHODS],
    ['access-control-allow-headers', of('access-control-request-headers') ?? 'authorization, content-type, accept, if-match'],
    ['access-control-allow-private-network', 'true'],
    ['access-control-max-age', '600'],
  ]
  return { status: 204, headers, body: '' }
}

/** Whether the text is an origin: one of the web, exactly as browsers write it, or one of an extension, with any scheme. */
const isOrigin = (text) => (/^https?:/i.test(text) ? hostOf(text) !== undefined : /^[a-z][a-z\d+.-]*:\/\/[^/?#\s]+$/.test(text))

function isHost(text) {
  try {
    return new URL(`http://${text}`).host === text.toLowerCase() && !text.includes('/')
  } catch {
    return false
  }
}

function listed(name, list, fits, what) {
  if (list === undefined) return []
  const bad = Array.isArray(list) ? list.find((item) => typeof item !== 'string' || !fits(item)) : list
  if (!Array.isArray(list) || bad !== undefined) invalid(`\`${name}\`: \`${String(bad)}\` is not ${what}`)
  return list
}
