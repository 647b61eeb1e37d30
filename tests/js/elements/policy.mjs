// The policies that elements show, and their network. Must not live here: tests.

export const BEFORE = `{
  // Who may.
  "groups": {
    "group:dev": [
      "ann@example.com",
      "bob@example.com",
    ],
    "group:ops": ["carol@example.com"],
  },
  "tagOwners": {"tag:web": ["group:ops"], "tag:db": ["group:ops"]},
  "acls": [
    {"action": "accept", "src": ["group:dev"], "dst": ["tag:web:443", "tag:db:5432"]},
    {"action": "accept", "src": ["group:ops"], "dst": ["tag:db:*", "tag:web:22"]},
    {"action": "accept", "src": ["bob@example.com"], "dst": ["tag:web:80"]},
  ],
  "ssh": [{"action": "accept", "src": ["group:ops"], "dst": ["tag:web"], "users": ["ubuntu"]}],
}
`
export const WITHOUT_BOB = BEFORE.replace('      "bob@example.com",\n', '')
export const OPEN = BEFORE.replace('"acls": [', '"acls": [\n    {"action": "accept", "src": ["*"], "dst": ["*:*"]},')

const device = (id, name, more) => ({ id, name: `${name}.example.com`, addresses: [`100.64.0.${id}`], ...more })
export const CONTEXT = {
  domains: ['example.com'],
  devices: [
    device('1', 'web-1', { tags: ['tag:web'] }),
    device('2', 'db-1', { tags: ['tag:db'] }),
    device('3', 'ann-laptop', { user: 'ann@example.com' }),
    device('4', 'bob-laptop', { user: 'bob@example.com' }),
    device('5', 'carol-laptop', { user: 'carol@example.com' }),
  ],
  users: ['ann', 'bob', 'carol'].map((name) => ({ loginName: `${name}@example.com`, role: 'member' })),
}
