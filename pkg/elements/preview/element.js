// `<tailnet-preview>`: the rules that apply to a user, tag, group, host, device or address. Must not live here: how they are found.

import { KitElement } from '../common/base.js'
import { h, prose } from '../common/dom.js'

const styles = `
label { display: grid; gap: 0.15em; margin-block-end: 0.5em; }
label > span, small { color: var(--_quiet); font-size: 0.875em; }
.row { display: flex; align-items: baseline; gap: 0.7em; width: 100%; border: 0; background: none; text-align: start; overflow-wrap: anywhere; }
.row:hover { background: var(--_raised); }
.row > span:not(.line) { flex: 1; min-width: 0; }
.row small { display: block; }
.line { min-width: 2.4em; text-align: end; font: 0.875em/1.65 var(--_code); color: var(--_accent); font-variant-numeric: tabular-nums; }
.warning, .unknown .line { color: var(--_warning); }
.problem { color: var(--_loss); }
`

export class TailnetPreview extends KitElement {
  static properties = { value: '', context: undefined, subject: '' }
  static styles = [styles]
  #input = h('input', {
    placeholder: 'user, tag, group, host, device or ip:port',
    autocomplete: 'off',
    spellcheck: false,
    autocapitalize: 'off',
    oninput: () => (this.subject = this.#input.value.trim()),
  })
  #rules = h('ol', { ariaLive: 'polite', part: 'rules' })

  constructor() {
    super()
    this.body.append(h('label', h('span', 'Rules that apply to'), this.#input), this.#rules)
  }

  async question(ask) {
    const { value, subject, context } = this
    if (this.shadowRoot.activeElement !== this.#input) this.#input.value = subject
    if (value === '' || subject === '') return {}
    try {
      return { preview: await ask('preview', value, subject, context) }
    } catch (error) {
      if (error?.check || error?.issue) throw error
      return { problem: error.message } // The name is none, whatever the text says.
    }
  }

  draw({ preview, problem }) {
    const found = preview
      ? this.#found(preview)
      : [problem ? h('li.problem', { role: 'alert' }, ...prose(problem)) : h('li.quiet', 'Enter a name to see its rules.')]
    this.#rules.replaceChildren(...found)
    return { preview }
  }

  #found({ user, matches, unknown, unresolved, hint }) {
    const nowhere = unresolved.map((name) => h('li.warning', `${name} is no name of this policy or its network.`, hint && h('small', ' ', ...prose(hint))))
    if (unresolved.length === 0 && hint) nowhere.push(h('li.warning', 'Neither the text nor the devices name this login: ', ...prose(hint)))
    const rules = matches.map(({ lineNumber, users, ports, via, postures }) => {
      const conditions = [via && `by way of ${via.join(', ')}`, postures && `while ${postures.join(' or ')} holds`]
      const words = [h('code', users.join(', ')), ' → ', h('code', ports.join(', '))]
      return this.#row(lineNumber ?? 1, '', ...words, h('small', conditions.filter(Boolean).join('; ')))
    })
    const open = unknown.map(({ line }) => this.#row(line, 'unknown', 'perhaps: policy and network do not decide this'))
    const all = [...nowhere, ...rules, ...open]
    return all.length ? all : [h('li.quiet', `No rule applies to ${user}.`)]
  }

  #row(line, kind, ...words) {
    const onclick = () => this.tell('rule', { line, text: 'value' })
    return h('li', h(`button.row ${kind}`, { onclick, part: 'rule' }, h('span.line', line), h('span', ...words)))
  }
}
