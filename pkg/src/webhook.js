// `verifyWebhook`: reads a delivery and lets the platform compare its signatures. Must not live here: the header's grammar, how
// old a delivery may be, errors.

import { invalid, only } from '../../common/arguments.js'
import { instance, wasm } from './client.wasm.js'

const { call } = instance
const rules = call(() => wasm.webhook_rules())
const signatures = call((header, now, tolerance) => wasm.webhook_signatures(header, now, tolerance))
const refuse = call((reason) => wasm.webhook_refuse(reason))

const HMAC = { name: 'HMAC', hash: 'SHA-256' }
const encoder = new TextEncoder()

export async function verifyWebhook(delivery, secret, options) {
  const { header, tolerance: usual } = rules()
  const { tolerance = usual, now = Date.now } = only(['tolerance', 'now'], options) ?? {}
  const secrets = [secret].flat()
  if (!secrets.length || !secrets.every((one) => typeof one === 'string' && one)) invalid('`secret` must be a text that is not empty, or a list of such')
  if (!(tolerance >= 0)) invalid('`tolerance` must be a number of seconds, 0 or more')
  const { time, values } = signatures(field(delivery?.headers, header), now(), tolerance)
  const body = await bytes(delivery)
  const signed = await new Blob([`${time}.`, body]).arrayBuffer()
  const keys = await Promise.all(secrets.map((one) => crypto.subtle.importKey('raw', encoder.encode(one), HMAC, false, ['verify'])))
  // Compares every key with every signature, even after a match, so that the time reveals nothing.
  const fits = await Promise.all(keys.flatMap((key) => values.map((value) => crypto.subtle.verify('HMAC', key, value, signed))))
  if (!fits.includes(true)) refuse('mismatch')
  return events(body)
}

/** A field of `Headers`, or of a plain object whose names may be in any letter case and whose values are texts or lists of texts. */
function field(headers, name) {
  if (typeof headers?.get === 'function') return headers.get(name) ?? undefined
  const found = Object.entries(headers ?? {}).filter(([known, value]) => known.toLowerCase() === name.toLowerCase() && value !== undefined)
  return found.length > 0 ? found.flatMap(([, value]) => value).join(',') : undefined
}

/** The raw bytes of the body: those of a Request, or those given. */
async function bytes(delivery) {
  if (typeof delivery.arrayBuffer !== 'function') {
    const { body } = delivery
    if (typeof body === 'string') return encoder.encode(body)
    return ArrayBuffer.isView(body) || Object.prototype.toString.call(body) === '[object ArrayBuffer]'
      ? body
      : invalid('`body` must be the raw body, a text or bytes: verify before any parser')
  }
  if (delivery.bodyUsed) invalid('the body of the request has been read: verify first, or read that of a `clone()`')
  return delivery.arrayBuffer()
}

/** The events in a body: a list of objects that have a type. */
function events(body) {
  try {
    const list = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    if (list.every((event) => typeof event.type === 'string')) return list
  } catch {
    /* as below */
  }
  return refuse('malformed')
}
