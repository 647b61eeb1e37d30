// `tailnet-kit/msw`: a sandbox behind Mock Service Worker. Must not live here: the service.

import { http } from 'msw'
import { invalid, only } from '../common/arguments.js'

export function handlers(sandbox, o) {
  const { baseURL = sandbox?.baseURL } = only(['baseURL'], o) ?? {}
  if (typeof sandbox?.fetch !== 'function') invalid('the sandbox must be a Sandbox or a HeadscaleSandbox')
  if (!URL.canParse(baseURL)) invalid('`baseURL` must be an absolute URL')
  const base = String(new URL(baseURL)).replace(/\/$/, '')
  const below = new RegExp(`^${base.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?=[/?#]|$)`)
  const answer = ({ request }) =>
    sandbox.fetch(
      new Request(
        request.url.replace(below, () => sandbox.baseURL),
        request,
      ),
    )
  return [http.all(below, answer)]
}
