// The policy that is edited, and its context. Must not live here: tests.

export const POLICY = `{
  // Who may.
  "groups": {"group:dev": ["ann@example.com"]},
  "tagOwners": {"tag:db": ["group:dev"]},
  "acls": [
    {"action": "accept", "src": ["group:dev"], "dst": ["tag:db:22"]},
  ],
}
`
/** The same with a tag that nobody has declared. */
export const FAULTY = POLICY.replace('tag:db:22', 'tag:dv:22')

export const CONTEXT = {
  devices: [{ id: '1', name: 'store.example.ts.net', tags: ['tag:db'], addresses: ['100.64.0.1'] }],
  users: [{ loginName: 'ann@example.com' }],
}
