// The settings of the tailnet, each sent as soon as it is changed. Must not live here: what a setting does.
import './service.css'
import type { SettingsChange, TailnetSettings } from 'tailnet-kit/slim'
import { attempt, card, field, fill, h, live } from './dom.js'
import { client } from './service.js'

type Name = keyof SettingsChange

/** The settings that are on or off. */
const SWITCHES: Partial<Record<Name, string>> = {
  devicesApprovalOn: 'New devices wait for approval',
  usersApprovalOn: 'New users wait for approval',
  devicesAutoUpdatesOn: 'Devices update themselves',
  httpsEnabled: 'Devices get certificates for HTTPS',
  networkFlowLoggingOn: 'Log network flows',
  regionalRoutingOn: 'Prefer routers in the same region',
  postureIdentityCollectionOn: 'Collect serial numbers (posture)',
  aclsExternallyManagedOn: 'Policy is managed elsewhere (GitOps)',
}

export const settingsView = (root: HTMLElement): Promise<void> =>
  fill(
    root,
    'Asking for the settings …',
    async () => (await client()).settings.get(),
    (settings) => {
      const groups: [string, Name[]][] = [
        ['Devices', ['devicesApprovalOn', 'devicesAutoUpdatesOn', 'httpsEnabled', 'devicesKeyDurationDays']],
        ['Users', ['usersApprovalOn', 'usersRoleAllowedToJoinExternalTailnets']],
        ['Network', ['networkFlowLoggingOn', 'regionalRoutingOn', 'postureIdentityCollectionOn']],
        ['Policy', ['aclsExternallyManagedOn', 'aclsExternalLink']],
      ]
      const shown = (names: Name[]) => names.map((name) => setting(settings, name))
      return groups.map(([title, names]) => card(title, '', ...shown(names)))
    },
  )

/** How a setting is shown and changed. */
interface Control {
  input: HTMLElement
  view: Node
  read(): unknown
  write(value: unknown): void
}

const labelled = (label: string, input: HTMLInputElement | HTMLSelectElement, read: () => unknown): Control => ({
  input,
  view: field(label, input),
  read,
  write: (value) => void (input.value = String(value)),
})

function control(name: Name): Control {
  const label = SWITCHES[name]
  if (label) {
    const input = h('input', { type: 'checkbox' })
    const write = (value: unknown) => void (input.checked = value === true)
    return { input, view: h('label.choice', input, label), read: () => input.checked, write }
  }
  if (name === 'devicesKeyDurationDays') {
    const input = h('input', { type: 'number', min: '1', max: '180' })
    return labelled('Key expiry in days (1–180)', input, () => input.valueAsNumber)
  }
  if (name === 'aclsExternalLink') {
    const input = h('input', { type: 'url' })
    return labelled('Link to it', input, () => input.value)
  }
  const input = h('select', ...['none', 'admin', 'member'].map((value) => h('option', { value }, value)))
  return labelled('Who may join other tailnets', input, () => input.value)
}

/** One setting. It shows what the service has, even where a change failed; a setting that the caller may not read is not shown as off. */
function setting(settings: TailnetSettings, name: Name): Node {
  if (settings[name] === undefined || settings[name] === null) return h('p.quiet', `${SWITCHES[name] ?? name}: not for this key to read`)
  const said = live()
  const { input, view, read, write } = control(name)
  const change = async () => {
    try {
      Object.assign(settings, await (await client()).settings.update({ [name]: read() }))
    } finally {
      write(settings[name])
    }
    return 'Saved.'
  }
  input.onchange = () => attempt(said, change)
  write(settings[name])
  return h('div', view, said)
}
