// `<tailnet-settings>`: the settings of a tailnet, each sent as soon as it is changed. Must not live here: what a setting does.

import { h } from '../common/dom.js'
import { live } from '../common/buttons.js'
import { attempt } from '../common/work.js'
import { ServiceElement, card, field } from './element.js'

const choice = (label) => {
  const input = h('input', { type: 'checkbox' })
  return { input, view: h('label.choice', input, label), read: () => input.checked, write: (value) => (input.checked = value === true) }
}
const labelled = (label, input, read = () => input.value) => ({ input, view: field(label, input), read, write: (value) => (input.value = value) })
const days = (label) => {
  const input = h('input', { type: 'number', min: '1', max: '180' })
  return labelled(label, input, () => input.valueAsNumber)
}
const link = (label) => labelled(label, h('input', { type: 'url' }))
const role = (label) => labelled(label, h('select', ...['none', 'admin', 'member'].map((value) => h('option', { value }, value))))

/** The settings by card: the label and the control of each. */
const CARDS = {
  Devices: {
    devicesApprovalOn: ['New devices wait for approval', choice],
    devicesAutoUpdatesOn: ['Devices update themselves', choice],
    httpsEnabled: ['Devices get certificates for HTTPS', choice],
    devicesKeyDurationDays: ['Key expiry in days (1–180)', days],
  },
  Users: {
    usersApprovalOn: ['New users wait for approval', choice],
    usersRoleAllowedToJoinExternalTailnets: ['Who may join other tailnets', role],
  },
  Network: {
    networkFlowLoggingOn: ['Log network flows', choice],
    regionalRoutingOn: ['Prefer routers in the same region', choice],
    postureIdentityCollectionOn: ['Collect serial numbers (posture)', choice],
  },
  Policy: { aclsExternallyManagedOn: ['Policy is managed elsewhere (GitOps)', choice], aclsExternalLink: ['Link to it', link] },
}

export class TailnetSettings extends ServiceElement {
  static asks = 'settings'

  load({ settings }) {
    return settings.get()
  }

  show(settings) {
    const cards = Object.entries(CARDS).map(([title, all]) => card(title, ...Object.entries(all).map((one) => this.#setting(settings, ...one))))
    this.body.replaceChildren(h('div.cards', ...cards))
    return settings
  }

  /** One setting. It shows what the service has, even where a change failed; a setting that the caller may not read is not shown as off. */
  #setting(settings, name, [label, control]) {
    if (settings[name] === undefined || settings[name] === null) return h('p.quiet', `${label}: not for this key to read`)
    const said = live()
    const { input, view, read, write } = control(label)
    const change = async () => {
      try {
        Object.assign(settings, await this.service.settings.update({ [name]: read() }))
        this.tell('change', { id: name })
      } finally {
        write(settings[name])
      }
      return 'Saved.'
    }
    input.onchange = () => attempt(said, change)
    write(settings[name])
    return h('div', view, said)
  }
}
