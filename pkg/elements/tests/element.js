// `<tailnet-tests>`: which tests of a policy pass, and why others fail. Must not live here: how they are run.

import { KitElement } from '../common/base.js'
import { h } from '../common/dom.js'
import { failure } from './words.js'

const styles = `
.row { display: flex; align-items: baseline; gap: 0.7em; width: 100%; border: 0; background: none; text-align: start; overflow-wrap: anywhere; }
.row:hover { background: var(--_raised); }
.row > .words { flex: 1; min-width: 0; }
.row small { display: block; color: var(--_quiet); font-size: 0.875em; }
.line { min-width: 2.4em; text-align: end; font: 0.875em/1.65 var(--_code); color: var(--_accent); font-variant-numeric: tabular-nums; }
.outcome { color: var(--_gain); }
.failed .outcome { color: var(--_loss); }
.unknown .outcome { color: var(--_warning); }
`

const OUTCOMES = { true: 'passed', false: 'failed', null: 'unknown' }

export class TailnetTests extends KitElement {
  static properties = { value: '', context: undefined }
  static styles = [styles]
  #tests = h('ol', { part: 'tests' })

  constructor() {
    super()
    this.body.append(this.#tests)
  }

  async question(ask) {
    if (this.value === '') return undefined
    // The check of a text has them, which other elements of a page ask for anyway.
    const { tests, issues, message } = await ask('check', this.value, this.context)
    if (issues.some(({ code }) => code === 'hujson_syntax')) throw new Error(message)
    return tests
  }

  draw(report) {
    const results = report?.results ?? []
    const passed = results.filter((test) => test.passed).length
    this.say(!report ? '' : results.length === 0 ? 'The policy has no tests.' : `${this.number(passed)} of ${this.number(results.length)} pass`)
    this.#tests.replaceChildren(...results.map((result) => h('li', this.#row(result))))
  }

  #row({ line, src, section, passed, errors }) {
    const outcome = OUTCOMES[passed]
    const plain = section === 'tests' && failure({ src, errors })
    // The service's own words stay, for whoever looks for them in its logs.
    const own = errors.map((error) => h('small', plain ? `The service says: ${error}` : error))
    const words = h('span.words', ...(plain ? [plain] : [h('code', src), section === 'sshTests' && ' over ssh']), ...own)
    const onclick = () => this.tell('rule', { line, text: 'value' })
    return h(`button.row ${outcome}`, { onclick, part: 'rule' }, h('span.line', String(line)), words, h('span.outcome', outcome))
  }
}
