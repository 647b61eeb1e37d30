// Sends deliveries of webhooks: to a function, or to an address on this machine. Must not live here: which deliveries there are,
// their bodies and signatures (the service).

import { isLoopback } from './visitors.js'

/** How many milliseconds to wait for a receiver's answer. */
const PATIENCE = 10_000

/** A sandbox sends to no other machine. */
const toLoopback = (request) =>
  isLoopback(new URL(request.url).host) ? fetch(request, { redirect: 'manual', signal: AbortSignal.timeout?.(PATIENCE) }) : undefined

/** Sends one; resolves with the status of the answer, or null where none came. Never rejects. */
export async function send({ endpointUrl, headers, body }, deliver = toLoopback) {
  try {
    const answer = await deliver(new Request(endpointUrl, { method: 'POST', headers, body }))
    return answer?.status ?? null
  } catch {
    return null
  }
}
