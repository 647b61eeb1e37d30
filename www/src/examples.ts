// Which example tailnets there are, and edits of their policies that are worth a try. Must not live here: their policies and devices (`tailnets.ts`), what
// an edit changes in access.
import { policy } from 'tailnet-kit/slim'
import type { SandboxState } from 'tailnet-kit/sandbox'

/** A change of a text that gives or takes access. */
export type Edit = { label: string; edit(text: string): string; isFirst?: true }

/** An example tailnet; without a state it is the one that a new sandbox has, of Headscale where that is the dialect. */
export interface Example {
  title: string
  about: string
  state?(): Promise<SandboxState>
  dialect?: 'headscale'
  edits: Edit[]
}

const { edit } = policy

/** Fetched when an example is chosen: the first view begins with another. */
const tailnets = () => import('./tailnets.js')

/** How large the large one is. */
const [GROUPS, DEVICES] = [100, 1000]

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
    state: async () => (await tailnets()).grants(),
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
    edits: [
      { label: 'Take ben out of group:dev', edit: (text) => edit.setGroup(text, 'group:dev', ['cleo@']) },
      { label: 'Let developers into the backup', edit: (text) => edit.addRule(text, { action: 'accept', src: ['group:dev'], dst: ['tag:backup:22'] }) },
    ],
  },
  large: {
    title: 'Large: 1,000 devices',
    about: `${GROUPS} groups and ${DEVICES.toLocaleString('en')} devices.`,
    state: async () => (await tailnets()).large(GROUPS, DEVICES),
    edits: [
      { label: 'Dissolve team 007', edit: (text) => edit.setGroup(text, 'group:team007', []) },
      {
        label: 'Open app 001 to all members',
        edit: (text) => edit.addRule(text, { action: 'accept', src: ['autogroup:member'], dst: ['tag:app001:443'] }),
      },
    ],
  },
}
