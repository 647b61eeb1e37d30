// The answers of a well-behaved service to an administrator, in the forms that real services use: absent lists, empty bodies.
// Must not live here: devices, policy, DNS, keys and users (`canned.mjs`).

const HOOK = { endpointId: 'w1', endpointUrl: 'https://hooks.example/net', subscriptions: ['nodeCreated'] }

const WIKI = { name: 'svc:wiki', addrs: ['100.90.1.2', 'fd7a:115c:a1e0::5a01:102'], ports: ['tcp:443'] }

const POSTURE = { id: 'p1', provider: 'kandji' }

/** The answer; undefined where another module answers. */
export function administration({ method, path }) {
  const [bare] = path.split('?')
  if (bare.endsWith('/webhooks')) return json(method === 'POST' ? { ...HOOK, secret: 's' } : {})
  if (bare.endsWith('/rotate')) return json({ ...HOOK, secret: 's' })
  if (bare.endsWith('/test')) return { status: 202, body: '', headers: {} }
  if (bare.includes('/webhooks/') && method !== 'DELETE') return json(HOOK)
  if (bare.endsWith('/services')) return json({ vipServices: null })
  if (bare.endsWith('/services/svc%3Awiki/devices')) return json({})
  if (bare.endsWith('/approved')) return json({ approved: true, autoApproved: false })
  if (bare.includes('/services/')) return method === 'DELETE' ? { body: 'null', headers: {} } : json(WIKI)
  if (bare.endsWith('/logging/configuration')) return json({ version: '1.1', logs: null })
  if (bare.endsWith('/logging/network')) return json({ logs: [{ nodeId: 'n1' }] })
  if (bare.endsWith('/posture/integrations')) return json(method === 'POST' ? POSTURE : {})
  if (bare.includes('/posture/integrations/') && method !== 'DELETE') return json(POSTURE)
  return undefined
}

const json = (value) => ({ body: JSON.stringify(value), headers: { 'content-type': 'application/json' } })
