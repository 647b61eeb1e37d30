// The dialog that chooses the service. Must not live here: how a client of it is made; a stored key.
import { open } from './clients.js'
import { type Child, choose, field, h } from './dom.js'
import { type Connection, connection } from './connection.js'
import { changeTo } from './service.js'

const kinds: Record<Connection['kind'], Child[]> = {
  page: ['The sandbox in this page', 'A simulated service in this tab. Closing the tab discards it.'],
  sandbox: ['A sandbox over HTTP', 'Start one with ', h('code', 'npx --no tailnet-kit sandbox --port 8081')],
  gateway: ['Your own service behind its gateway', 'The gateway holds the key, not this page. A path on this site, or a localhost address.'],
  headscale: ['A Headscale', 'Behind its gateway, or another proxy on this site or this machine, as it sends no CORS headers.'],
}

/** What the Content-Security-Policy of the page lets it call. */
const WITHIN_REACH = /^(?:\/|https?:\/\/(?:127\.0\.0\.1|localhost)(?:[:/]|$))/

/** Asks for a service in a dialog, and changes to it if it answers. The key stays in this page's memory. */
export function chooseService(): void {
  const { kind: now, baseURL, tailnet } = connection
  const choice = ([kind, [title, ...about]]: [string, Child[]]) => {
    const box = h('input', { type: 'radio', name: 'kind', value: kind, checked: kind === now })
    return h('label.choice', box, h('span', title, ' ', h('small', ...about)))
  }
  const address = (kind: Connection['kind'], usual: string) =>
    field(`Address of the ${kind}`, h('input', { name: kind, value: kind === now ? baseURL : usual }))
  const key = h('input', { name: 'key', type: 'password', placeholder: 'that of the sandbox, or the gateway has it', autocomplete: 'off' })
  const content = [
    ...Object.entries(kinds).map(choice),
    h('div.of-sandbox', address('sandbox', 'http://127.0.0.1:8081')),
    h('div.of-gateway', address('gateway', '/gateway')),
    h('div.of-headscale', address('headscale', '/gateway')),
    h('div.of-key', field('API key (never stored)', key)),
    h('div.of-tailnet', field('Tailnet', h('input', { name: 'tailnet', value: tailnet }))),
  ]
  const connect = async ({ kind = '', tailnet, key, ...addresses }: Record<string, string>) => {
    const wanted = { kind, tailnet, baseURL: addresses[kind] ?? '', example: connection.example } as Connection
    if (kind !== 'page' && !WITHIN_REACH.test(wanted.baseURL)) throw new Error('This page can call a path on this site, or a localhost address.')
    const candidate = await open(wanted, key || undefined)
    await candidate.acl.get()
    changeTo(wanted, candidate)
  }
  void choose('Connect to', content, [['Cancel'], ['Connect', connect, 'primary']])
}
