// The answers of a well-behaved service to the calls that the scripts are about, by method and path. Must not live here: an answer to each operation
// (`tests/api/wire`), faults.

/** A text that shows damage of any kind: it has both kinds of line breaks, tabs and emoji, but no byte order mark. */
export const POLICY = '// Größe 日本 \u{1F600}\r\n{\n\t"acls": [\n\t\t{"action": "accept", "src": ["*"], "dst": ["*:*"]}, // all\n\t],\n}\n'

const JSON_TYPE = { 'content-type': 'application/json' }
const DEVICE = { id: '1', name: 'web.example.com', addresses: ['100.64.0.1'] }

export function canned({ method, path, headers, body }) {
  const [bare] = path.split('?')
  const json = (value) => ({ body: JSON.stringify(value), headers: JSON_TYPE })
  if (bare.endsWith('/acl')) return policy(method, headers, body)
  if (bare.endsWith('/acl/preview')) return json({ matches: [{ users: ['*'], ports: ['*:*'], lineNumber: 4 }], user: 'ann@example.com' })
  if (bare.endsWith('/devices')) return json({ devices: [DEVICE, { id: '2', note: 'größer 日本 \u{1F600}' }] })
  if (bare.endsWith('/routes')) return json({ advertisedRoutes: ['10.0.0.0/8'], enabledRoutes: method === 'POST' ? JSON.parse(body).routes : [] })
  if (bare.endsWith('/nameservers')) return json(method === 'POST' ? { ...JSON.parse(body), magicDNS: false } : { dns: ['8.8.8.8'] })
  if (bare.endsWith('/preferences')) return json(method === 'POST' ? JSON.parse(body) : { magicDNS: true })
  return method === 'DELETE' ? { body: '', headers: {} } : json(DEVICE)
}

function policy(method, { accept }, body) {
  if (accept === 'application/json') return { body: '{"acls":[]}', headers: { ...JSON_TYPE, etag: '"e1"' } }
  return { body: method === 'POST' ? body : POLICY, headers: { 'content-type': 'application/hujson', etag: '"e1"' } }
}
