// A tailnet, and policies for it whose answers have what no document of the native tests brings out: each is also what the next one is compared with.
// Must not live here: calls, what is asserted.

/** The role of one user is not known, and one device belongs to nobody. */
export const CONTEXT = {
  devices: [
    { id: '1', name: 'laptop.example.ts.net', user: 'ann@example.com', addresses: ['100.64.0.1', 'fd7a:115c:a1e0::1'] },
    { id: '2', name: 'web.example.ts.net', tags: ['tag:web', 'tag:server'], addresses: ['100.64.0.5'] },
    {
      id: 'exit',
      name: 'exit.example.ts.net',
      tags: ['tag:exit'],
      addresses: ['100.64.0.9'],
      advertisedRoutes: ['0.0.0.0/0', '::/0', '10.0.0.0/8'],
      enabledRoutes: ['0.0.0.0/0', '::/0'],
    },
    { id: 'pad', name: 'pad.example.ts.net', user: 'cyd@example.com', addresses: ['100.64.0.12'] },
    { id: 'printer', name: 'printer.example.ts.net', addresses: ['100.64.0.20'] },
  ],
  users: [{ loginName: 'ann@example.com', role: 'owner' }, { loginName: 'bob@example.com', role: 'admin' }, { loginName: 'cyd@example.com' }],
  domains: ['example.com'],
}

const NAMES = `"tagOwners": {"tag:web": ["autogroup:admin"], "tag:server": [], "tag:exit": []},
  "groups": {"group:ops": ["ann@example.com", "cyd@example.com"]},`

export const POLICIES = [
  `{
  ${NAMES}
  "acls": [{"action": "accept", "src": ["autogroup:admin"], "dst": ["tag:web:22", "100.64.0.20:631"]}, {"action": "accept", "src": ["*"], "dst": ["*:443"]}],
  "ssh": [
    {"action": "accept", "src": ["autogroup:member"], "dst": ["tag:server"], "users": ["root", "ubuntu", "autogroup:nonroot"]},
    {"action": "check", "src": ["group:ops"], "dst": ["tag:exit"], "users": ["localpart:*@example.com", "localpart:foo@example.com"], "checkPeriod": "2h"},
  ],
  "nodeAttrs": [{"target": ["*"], "ipPool": ["100.81.0.0/16"]}, {"target": ["tag:web"], "attr": ["funnel"], "app": {"example.com/cap/test": [{"role": "admin"}]}}],
  "autoApprovers": {"routes": {"10.0.0.0/8": ["tag:exit"]}, "exitNode": ["tag:exit"]},
}`,
  // Reversed access, and another way into the machines.
  `{
  ${NAMES}
  "grants": [
    {"src": ["group:ops"], "dst": ["tag:server"], "ip": ["22", "udp:53"], "app": {"example.com/cap/test": [{"role": "viewer"}]}},
    {"src": ["100.64.0.20"], "dst": ["autogroup:member"], "ip": ["*"]},
    {"src": ["autogroup:admin"], "dst": ["tag:exit"], "ip": ["*"]},
  ],
  "ssh": [
    {"action": "accept", "src": ["tag:web"], "dst": ["tag:exit"], "users": ["ubuntu"]},
    {"action": "accept", "src": ["group:ops"], "dst": ["tag:server"], "users": ["root"]},
    {"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self"], "users": []},
  ],
}`,
  `{${NAMES} "acls": [], "ssh": [{"action": "accept", "src": ["group:ops"], "dst": ["tag:exit"], "users": ["autogroup:nonroot"]}]}`,
  // A device open to everybody, a machine that is a source, and a test that fails.
  `{
  ${NAMES}
  "acls": [
    {"action": "accept", "src": ["autogroup:danger-all"], "dst": ["100.64.0.20:*"]},
    {"action": "accept", "src": ["tag:server"], "dst": ["tag:exit:22"]},
  ],
  "tests": [{"src": "ann@example.com", "accept": ["tag:web:22"]}],
}`,
  // Refused for another reason than its test.
  `{${NAMES} "acls": [{"action": "accept", "src": ["group:gone"], "dst": ["*:*"]}], "tests": [{"src": "ann@example.com", "accept": ["tag:web:22"]}]}`,
  // All is gone, and back.
  `{${NAMES} "acls": []}`,
  `{
  ${NAMES}
  "acls": [{"action": "accept", "src": ["*"], "dst": ["*:*"]}],
  "ssh": [{"action": "check", "src": ["ann@example.com"], "dst": ["tag:exit", "tag:server"], "users": ["root"]}],
  "tests": [{"src": "ann@example.com", "deny": ["tag:web:22"]}],
}`,
]
