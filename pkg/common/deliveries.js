// Deliveries to webhooks: to a function, or to an address on this machine. Must not live here: what they say and who signs it
// (the service), which there are.

import { isLoopback } from './visitors.js'

/** Milliseconds for which a receiver is waited for. */
const PATIENCE = 10_000

/** Nobody on another machine hears of a sandbox. */
const toLoopback = (request) =>
  isLoopback(new URL(request.url).host) ? fetch(request, { redirect: 'manual', signal: AbortSignal.timeout?.(PATIENCE) }) : undefined

/** Sends one; gives the status of the answer, null where there is none. Never fails. */
export async function send({ endpointUrl, headers, body }, deliver = toLoopback) {
  try {
    const answer = await deliver(new Request(endpointUrl, { method: 'POST', headers, body }))
    return answer?.status ?? null
  } catch {
    return null
  }
}
