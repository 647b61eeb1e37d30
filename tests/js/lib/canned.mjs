// The answers of a service in good order, by method and path. Must not live here: faults.

/** Text that shows every way to damage it: a byte order mark is not in it, but lines of both kinds, tabs and emoji are. */
export const POLICY = '// Größe 日本 \u{1F600}\r\n{\n\t"acls": [\n\t\t{"action": "accept", "src": ["*"], "dst": ["*:*"]}, // all\n\t],\n}\n'

const JSON_TYPE = { 'content-type': 'application/json' }
const DEVICE = { id: '1', name: 'web.example.com', addresses: ['100.64.0.1'] }

export function canned({ method, path, headers, body }) {
  const [bare] = path.split('?')
  const json = (value) => ({ body: JSON.stringify(value), headers: JSON_TYPE })
  if (bare.endsWith('/acl')) return policy(method, headers, body)
  if (bare.endsWith('/acl/preview')) return json({ matches: [{ users: ['*'], ports: ['*:*'], lineNumber: 4 }], user: new URLSearchParams(path.slice(bare.length)).get('user') })
  if (bare.endsWith('/devices')) return json({ devices: [DEVICE, { id: '2', note: 'größer 日本 \u{1F600}' }] })
  if (bare.endsWith('/routes')) return json({ advertisedRoutes: ['10.0.0.0/8'], enabledRoutes: method === 'POST' ? JSON.parse(body).routes : [] })
  if (bare.endsWith('/nameservers')) return json(method === 'POST' ? { ...JSON.parse(body), magicDNS: false } : { dns: ['8.8.8.8'] })
  if (bare.endsWith('/preferences')) return json(method === 'POST' ? JSON.parse(body) : { magicDNS: true })
  if (bare.endsWith('/searchpaths')) return json(method === 'POST' ? JSON.parse(body) : { searchPaths: ['example.com'] })
  return method === 'DELETE' ? { body: '', headers: {} } : json(DEVICE)
}

function policy(method, { accept }, body) {
  if (accept === 'application/json') return { body: '{"acls":[]}', headers: { ...JSON_TYPE, etag: '"e1"' } }
  return { body: method === 'POST' ? body : POLICY, headers: { 'content-type': 'application/hujson', etag: '"e1"' } }
}
