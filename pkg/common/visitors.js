// Who may call a sandbox: under which `Host`, and from which pages; and what CORS says to those. Any page that a person opens
// can send requests to their own machine: a page that may not is refused, whatever it asks.
// Must not live here: how requests come in, keys.

import { invalid } from './arguments.js'

/** Names and addresses that never leave the machine: nobody else's page can be served from there (RFC 6761, section 6.3). */
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i
const PORT = /:\d*$/
const EXPOSED = 'ETag, Retry-After'
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'

const nameOf = (host) => host.replace(PORT, '')

/** Whether a host, with or without port, is this machine. */
export const isLoopback = (host) => LOOPBACK.test(nameOf(host))

/** The host of an origin as it stands in a URL; undefined for `null` and for what is no origin. */
function hostOf(origin) {
  try {
    const url = new URL(origin)
    return url.origin === origin ? url.host : undefined
  } catch {
    return undefined
  }
}

/** Whether CORS asks beforehand. `of` gives the value of a header. */
export const isPreflight = (method, of) => method === 'OPTIONS' && Boolean(of('access-control-request-method'))

/**
 * The rules for one sandbox. `origins` are pages that may call beside those of loopback and its own, `hosts` what `Host` may
 * say beside loopback; without `hosts` it may say anything. Throws `invalid_argument`.
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
   * Why the request to `host` is refused; undefined where it may pass. `of` gives the value of a header; `address` is the one
   * that the request came in by, where that is known: nobody else's name stands for it.
   */
  const refused = (host, of, address) => {
    if (!isKnown(host, address)) return `the host \`${host}\` is not one of this sandbox's: name it when you start it`
    const origin = of('origin')
    // What a page sends without `Origin` it cannot read, and browsers leave it out of nothing that changes: a second fence.
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

/** The answer to a page that may call and asks whether it may. */
function preflight(of) {
  const headers = [
    ['access-control-allow-methods', METHODS],
    ['access-control-allow-headers', of('access-control-request-headers') ?? 'authorization, content-type, accept, if-match'],
    ['access-control-allow-private-network', 'true'],
    ['access-control-max-age', '600'],
  ]
  return { status: 204, headers, body: '' }
}

/** Of the web, just as browsers write it; of an extension, whatever its scheme. */
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
