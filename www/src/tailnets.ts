// The tailnets of the examples: policy and devices of each. Must not live here: edits of them, what the page begins with (`virtual:example`).
import type { Device } from 'tailnet-kit/slim'
import type { SandboxState } from 'tailnet-kit/sandbox'
import grantsText from './examples/grants.hujson?raw'

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

function grants(): SandboxState {
  const laptop = (name: string, index: number) => machine(index + 1, `${name}-laptop`, { user: `${name}@example.com` })
  const server = (name: string, index: number) => machine(index + 11, name, { tags: [`tag:${name.split('-')[0]}`] })
  return tailnet(grantsText, [...['mia', 'noah', 'olga', 'pete', 'quinn', 'rosa'].map(laptop), ...['shop-1', 'shop-2', 'ledger-1', 'monitor-1'].map(server)])
}

/** How many people are in a team of the large one. */
const MEMBERS = 3

function large(groups: number, machines: number): SandboxState {
  const numbers = Array.from({ length: groups }, (_, index) => String(index + 1).padStart(3, '0'))
  const members = (team: string) => Array.from({ length: MEMBERS }, (_, index) => `person${index + 1}.of${team}@example.com`)
  const lines = (each: (team: string, index: number) => string) => numbers.map((team, index) => `\t\t${each(team, index)},`).join('\n')
  const names = (team: string) => JSON.stringify(members(team)).replaceAll(',', ', ')
  const acl = `// ${groups} teams, each with its own machines; every tenth runs what all of them need.
{
	"groups": {
${lines((team) => `"group:team${team}": ${names(team)}`)}
	},
	"tagOwners": {
${lines((team) => `"tag:app${team}": ["group:team${team}"]`)}
	},
	"acls": [
${lines((team) => `{"action": "accept", "src": ["group:team${team}"], "dst": ["tag:app${team}:22,443"]}`)}
		// What all of them need.
${lines((team, index) => `{"action": "accept", "src": ["tag:app${team}"], "dst": ["tag:app${numbers[index - (index % 10)]}:443"]}`)}
		{"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self:*"]},
	],
}
`
  const devices = Array.from({ length: machines }, (_, index) => {
    const team = numbers[index % groups] as string
    const place = Math.floor(index / groups)
    const owner = place < MEMBERS ? { user: members(team)[place] as string } : { tags: [`tag:app${team}`] }
    return machine(index + 1, place < MEMBERS ? `laptop${place + 1}-${team}` : `app${place - MEMBERS + 1}-${team}`, owner)
  })
  return tailnet(acl, devices)
}

/** The state of a sandbox by the name of the example that begins with it. */
export const tailnets: Record<string, () => SandboxState> = { grants, large: () => large(100, 1000) }
