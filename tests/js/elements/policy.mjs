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

/** A policy with so many users and tags: user N reaches the tags that end like N, and the last one all. */
export function large(users, tags) {
  const numbers = (count) => Array.from({ length: count }, (_, index) => index)
  const rules = numbers(users).map((user) => {
    const reached = numbers(tags).filter((tag) => user === users - 1 || tag % 10 === user % 10)
    return { action: 'accept', src: [`user${user}@example.com`], dst: reached.map((tag) => `tag:t${tag}:${1000 + (user % 7)}`) }
  })
  return JSON.stringify({ tagOwners: Object.fromEntries(numbers(tags).map((tag) => [`tag:t${tag}`, []])), acls: rules })
}
