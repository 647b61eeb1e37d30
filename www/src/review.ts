// Two texts side by side, as the two sides of a pull request: who gains and who loses what, who is locked out, what is open to many.
// Must not live here: how a review is made.
import './service.css'
import type { Exposure, PolicyReview, Power, PowerChange, SshChange, SshReach } from 'tailnet-kit/slim'
import { chip, conditions, gainsAndLosses, type Verb } from './answers.js'
import { attempt, card, fill, h, list, live, problem, prose } from './dom.js'
import { ask, latest } from './kit.js'
import { beginning } from './service.js'
import { type Shared, write } from './url.js'
import { opener, textOf } from './ways.js'

const AUDIENCES: Record<Exposure['to'], string> = { everybody: 'everybody here', outsiders: 'people outside', anyone: 'any address' }

/** The view; where the address has no texts it begins with the stored text on both sides. */
export const reviewView = (root: HTMLElement, shared: Shared): Promise<void> =>
  fill(root, 'Reading the policy …', beginning, ({ acl }) => {
    const [said, outcome] = [live(), h('div.outcome-of-review', { ariaLive: 'polite' })]
    const side = (label: string, text: string) => {
      const input = h('textarea', { value: text, rows: 16, spellcheck: false, oninput: changed })
      const open = async (file: File) => {
        input.value = await textOf(file)
        changed()
      }
      const bar = opener('Open a file …', (file) => void attempt(said, () => open(file)))
      const named = h('label.field', h('span.hidden', `Text ${label.toLowerCase()}`), input)
      return { input, view: h('section.card', { ariaLabel: label }, h('h2', label, bar), named) }
    }
    const [before, after] = [side('Before', shared.before ?? acl.text), side('After', shared.text ?? acl.text)]
    let pause = 0
    const judge = latest(async () => {
      const texts = [before.input.value, after.input.value] as const
      const parts = await ask('review', ...texts).then(drawn, (error) => [problem(error)])
      if (texts[0] === before.input.value && texts[1] === after.input.value) outcome.replaceChildren(...parts)
    })
    function changed(): void {
      outcome.replaceChildren(h('p.quiet', 'Checking …'))
      clearTimeout(pause)
      pause = window.setTimeout(() => !root.hidden && write({ view: 'review', before: before.input.value, text: after.input.value }), 250)
      judge()
    }
    changed()
    return [h('p.lead', 'Review a policy change'), h('div.sides', before.view, after.view), said, outcome]
  })

const reached = (verb: Verb, login: SshReach, before = '') => {
  const { destination, users, action, network } = login
  const how = `as ${users.join(', ')}${action === 'check' ? ', behind a check' : ''}`
  const closed = network === false ? ' (no network rule opens port 22)' : ''
  return chip(verb, `${before}ssh ${destination} `, h('b', how), conditions(verb, login), closed)
}

const CHECKED = { tighter: 'now behind a check, or a stricter one: ', looser: 'no longer behind a check, or behind a looser one: ' }

const loggedIn = ({ source, gained, lost, checked, undecided }: SshChange) => {
  const told = (verb: Verb, list: SshReach[]) => list.map((login) => reached(verb, login))
  const treated = checked.map((login) => reached(login.now === 'looser' ? 'gains' : 'loses', login, CHECKED[login.now]))
  return h('li', h('code', source), h('ul', ...told('gains', gained), ...told('loses', lost), ...treated, ...told('undecided', undecided)))
}

const empowered = ({ who, gained, lost, undecided }: PowerChange) => {
  const told = (verb: Verb, list: Power[]) =>
    list.map(({ kind, what, ...power }) => chip(verb, kind === what ? '' : `${kind} `, h('b', what), conditions(verb, power)))
  return h('li', h('code', who), h('ul', ...told('gains', gained), ...told('loses', lost), ...told('undecided', undecided)))
}

const TURNED = { same: ' is written otherwise', other: ' is another', looser: ' is looser', tighter: ' is tighter' }

/** A value of the text; long ones are cut. */
const valued = (value: unknown) => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return h('code', text.length > 120 ? `${text.slice(0, 119)}…` : text)
}

/** What a review says, the gravest part first; empty parts are left out. */
function drawn(review: PolicyReview): Node[] {
  const { unchanged, access, ssh, conditions: later, networkLogins, powers, postures, lockedOut, orphaned } = review
  const { exposed, renamed, tests, issues, changes, summary } = review
  if (unchanged) return [h('p.verdict good', 'No effective change: only comments or layout differ.')]
  const part = (title: string, entries: HTMLElement[], nothing = '') => {
    const place = h('ol.changes')
    list(place, entries, nothing)
    return entries.length || nothing ? card(title, null, place) : null
  }
  const said = live()
  const copy = async () => {
    await navigator.clipboard.writeText(summary)
    return 'Copied.'
  }
  const open = ({ destination, to, opens }: Exposure) => {
    const what = opens.map(({ proto, ports }) => (ports === '*' ? `${proto}` : `${proto} ${ports}`)).join('; ')
    return h('li.warning', h('code', destination), ` is open to ${AUDIENCES[to]} now: ${what}`)
  }
  const parts = [
    part(
      'Locked out',
      lockedOut.map(({ name }) => h('li.problem', h('code', name), ' has no access left')),
      '',
    ),
    part('Open to many', exposed.map(open)),
    part(
      'Renamed',
      renamed.map(({ from, to }) => h('li', h('code', from), ' looks renamed to ', h('code', to), '; devices keep the old tag')),
    ),
    part('Who gains and who loses', gainsAndLosses([...access, ...later.access]), 'Nobody gains or loses access.'),
    part(
      'Nobody reaches any more',
      orphaned.map(({ name }) => h('li', h('code', name))),
    ),
    part('Logins', [...ssh, ...later.ssh].map(loggedIn)),
    part(
      'Logins by the network',
      networkLogins.map(({ source, destination, users, isOpen }) =>
        h('li', h('code', source), ` ${isOpen ? 'gets' : 'no longer gets'} through to `, h('code', destination), ` as ${users.join(', ')}`),
      ),
    ),
    part('Powers', powers.map(empowered)),
    part(
      'Postures',
      postures.map(({ name, now, before, after }) =>
        h('li', h('code', name), `${TURNED[now]}: `, h('code', before?.join(' and ') ?? 'nothing'), ' → ', h('code', after?.join(' and ') ?? 'nothing')),
      ),
    ),
    part('Tests', [
      ...tests.changed.map(({ src, noLonger }) => h('li', h('code', src), ' is no longer tested against ', h('code', noLonger.join(', ')))),
      ...tests.removed.map(({ src }) => h('li', 'a test of ', h('code', src), ' is gone')),
    ]),
    part(
      'New findings',
      issues.map(({ line, message }) => h('li', h('span.line', line), ' ', ...prose(message))),
    ),
    part(
      'Changed',
      changes.map(({ pointer, before, after }) => h('li', h('code', pointer || '/'), ': ', valued(before), ' → ', valued(after))),
    ),
  ]
  const [headline = ''] = summary.split('\n', 1)
  const shown = parts.filter((one) => one !== null)
  const bar = h('div.toolbar', h('button', { onclick: () => attempt(said, copy) }, 'Copy as Markdown'), said)
  return [h('p.verdict', headline.replaceAll('**', '')), ...shown, bar]
}
