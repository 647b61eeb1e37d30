// Example tailnets, and edits of their policies that are worth a try. Must not live here: what an edit changes in access.
import { type Device, policy } from 'tailnet-kit/slim'
import type { SandboxState } from 'tailnet-kit/sandbox'
import grants from './examples/grants.hujson?raw'
import headscale from './examples/headscale.hujson?raw'

/** A change of a text that gives or takes access. */
export type Edit = { label: string; edit(text: string): string; isFirst?: true }

/** An example tailnet; without a state it is the one that a new sandbox has. */
export interface Example {
  title: string
  about: string
  state?(): SandboxState
  dialect?: 'headscale'
  edits: Edit[]
}

const { edit } = policy

/** A device with the fewest fields that the service would show. */
const machine = (index: number, hostname: string, owner: { user: string } | { tags: string[] }): Device => ({
  id: `${9_100_000_000 + index}`,
  hostname,
  name: `${hostname}.example.com`,
  addresses: [`100.${80 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`],
  os: 'linux',
  authorized: true,
  keyExpiryDisabled: true,
  ...owner,
})

const tailnet = (acl: string, devices: Device[]): SandboxState => ({
  tailnets: { 'example.com': { acl, devices, dns: { nameservers: ['1.1.1.1'], magicDNS: true, searchPaths: [] } } },
})

function grantsState(): SandboxState {
  const people = ['mia', 'noah', 'olga', 'pete', 'quinn', 'rosa']
  const servers = ['shop-1', 'shop-2', 'ledger-1', 'monitor-1']
  const laptops = people.map((name, index) => machine(index + 1, `${name}-laptop`, { user: `${name}@example.com` }))
  return tailnet(grants, [...laptops, ...servers.map((name, index) => machine(index + 11, name, { tags: [`tag:${name.split('-')[0]}`] }))])
}

function headscaleState(): SandboxState {
  const laptops = ['ann', 'ben', 'cleo'].map((name, index) => machine(index + 1, `${name}-laptop`, { user: `${name}@` }))
  const servers = ['git', 'build', 'backup'].map((name, index) => machine(index + 11, `${name}-1`, { tags: [`tag:${name}`] }))
  return tailnet(headscale, [...laptops, ...servers])
}

/** How large the large one is. */
const [GROUPS, MEMBERS, DEVICES] = [100, 3, 1000]

function largeState(): SandboxState {
  const numbers = Array.from({ length: GROUPS }, (_, index) => String(index + 1).padStart(3, '0'))
  const members = (team: string) => Array.from({ length: MEMBERS }, (_, index) => `person${index + 1}.of${team}@example.com`)
  const lines = (each: (team: string, index: number) => string) => numbers.map((team, index) => `\t\t${each(team, index)},`).join('\n')
  const acl = `// ${GROUPS} teams, each with its own machines; every tenth runs what all of them need.
{
	"groups": {
${lines(
  (team) =>
    `"group:team${team}": [${members(team)
      .map((name) => `"${name}"`)
      .join(', ')}]`,
)}
	},
	"tagOwners": {
${lines((team) => `"tag:app${team}": ["group:team${team}"]`)}
	},
	"acls": [
${lines((team) => `{"action": "accept", "src": ["group:team${team}"], "dst": ["tag:app${team}:22,443"]}`)}
		// What all of them need.
${lines((_, index) => `{"action": "accept", "src": ["tag:app${numbers[index]}"], "dst": ["tag:app${numbers[index - (index % 10)]}:443"]}`)}
		{"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self:*"]},
	],
}
`
  const devices = Array.from({ length: DEVICES }, (_, index) => {
    const team = numbers[index % GROUPS] as string
    const place = Math.floor(index / GROUPS)
    const owner = place < MEMBERS ? { user: members(team)[place] as string } : { tags: [`tag:app${team}`] }
    return machine(index + 1, place < MEMBERS ? `laptop${place + 1}-${team}` : `app${place - MEMBERS + 1}-${team}`, owner)
  })
  return tailnet(acl, devices)
}

const movePete = (text: string) =>
  edit.setGroup(edit.setGroup(text, 'group:support', ['olga@example.com']), 'group:finance', ['quinn@example.com', 'pete@example.com'])

/** The examples by the names that a page's address has for them. */
export const examples: Record<string, Example> = {
  office: {
    title: 'Small office',
    about: 'The old grammar: groups, hosts, rules.',
    edits: [
      { label: 'Give developers the router', edit: (text) => edit.addRule(text, { action: 'accept', src: ['group:dev'], dst: ['tag:router:443'] }) },
      { label: 'Take bob out of group:dev', edit: (text) => edit.setGroup(text, 'group:dev', ['carol@example.com']), isFirst: true },
      { label: 'Open everything to everyone', edit: (text) => edit.addRule(text, { action: 'accept', src: ['*'], dst: ['*:*'] }) },
    ],
  },
  grants: {
    title: 'Grants and tests',
    about: 'Grants, postures, devices, and tests that guard them.',
    state: grantsState,
    edits: [
      { label: 'Give support the monitor', edit: (text) => edit.addRule(text, { src: ['group:support'], dst: ['tag:monitor'], ip: ['tcp:443'] }) },
      { label: 'Move pete to finance', edit: movePete },
      { label: 'Let support into the ledger', edit: (text) => edit.addRule(text, { src: ['group:support'], dst: ['tag:ledger'], ip: ['tcp:443'] }) },
    ],
  },
  headscale: {
    title: 'Headscale',
    about: "A policy in Headscale's own reading: users end in @, and are known to the server by name.",
    dialect: 'headscale',
    state: headscaleState,
    edits: [
      { label: 'Take ben out of group:dev', edit: (text) => edit.setGroup(text, 'group:dev', ['cleo@']) },
      { label: 'Let developers into the backup', edit: (text) => edit.addRule(text, { action: 'accept', src: ['group:dev'], dst: ['tag:backup:22'] }) },
    ],
  },
  large: {
    title: 'Large: 1,000 devices',
    about: `${GROUPS} groups and ${DEVICES.toLocaleString('en')} devices.`,
    state: largeState,
    edits: [
      { label: 'Dissolve team 007', edit: (text) => edit.setGroup(text, 'group:team007', []) },
      {
        label: 'Open app 001 to all members',
        edit: (text) => edit.addRule(text, { action: 'accept', src: ['autogroup:member'], dst: ['tag:app001:443'] }),
      },
    ],
  },
}
