// The policies of the cases. Must not live here: cases.

export const TEXT = `{
  // People.
  "groups": {"group:dev": ["ann@example.com"]}, // the first
  "tagOwners": {"tag:web": []},
  "acls": [
    {"action": "accept", "src": ["group:dev"], "dst": ["tag:web:80,443"]},
  ],
  "tests": [{"src": "ann@example.com", "accept": ["tag:web:80"], "deny": ["tag:web:22"]}],
}
`

export const OBJECT = { acls: [{ action: 'accept', Users: ['ann@example.com'], Ports: ['*:*'] }] }

export const CONTEXT = {
  devices: [
    { id: '1', user: 'ann@example.com', addresses: ['100.64.0.1'] },
    { id: '2', user: 'ann@example.com', tags: ['tag:web'], addresses: ['100.64.0.2'], clientConnectivity: null },
  ],
}

export const INVALID = { name: 'InvalidArgumentError', code: 'invalid_argument' }
