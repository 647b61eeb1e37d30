// A Worker that receives webhooks and tells a chat room of what needs somebody. It answers as soon as the signature is checked, as
// the service sends again what is not taken in time. Must not live here: which events the webhook subscribes to.

import { isTailnetError, verifyWebhook, type WebhookEvent } from 'tailnet-kit/client'

interface Env {
  WEBHOOK_SECRET: string
  OLD_WEBHOOK_SECRET?: string
  CHAT_URL: string
}

export default {
  async fetch(request: Request, env: Env, context: ExecutionContext) {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } })
    try {
      // After a rotation both secrets, for a day.
      const events = await verifyWebhook(
        request,
        [env.WEBHOOK_SECRET, env.OLD_WEBHOOK_SECRET].filter((secret) => secret !== undefined),
      )
      context.waitUntil(Promise.all(events.map((event) => tell(event, env))))
      return new Response(null, { status: 204 })
    } catch (error) {
      if (!isTailnetError(error, 'webhook_signature')) throw error
      return Response.json({ message: error.message, reason: error.reason }, { status: 401 })
    }
  },
}

/** What the room reads; nothing for what is nobody's task, and for types that are yet to come. */
function line({ type, message, data }: WebhookEvent) {
  switch (type) {
    case 'nodeNeedsApproval':
      return `${data?.deviceName ?? 'a device'} waits to be let in: ${data?.url ?? message}`
    case 'userNeedsApproval':
      return `${data?.user ?? 'somebody'} waits to be let in: ${data?.url ?? message}`
    case 'nodeKeyExpiringInOneDay':
      return `the key of ${data?.deviceName ?? 'a device'} ends tomorrow`
    case 'policyUpdate':
      return `${data?.actor ?? 'somebody'} changed the policy`
    default:
      return undefined
  }
}

async function tell(event: WebhookEvent, env: Env) {
  const text = line(event)
  if (text) await fetch(env.CHAT_URL, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ text }) })
}
