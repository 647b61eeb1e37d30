// What a text means, card by card: the verdict on it, the rules of a subject, one flow, what changes, the tests.
// Must not live here: how an answer is found; the picture of who reaches what.
import type { AccessChange, AccessReach, Explanation, Issue, Opening, PolicyCheck, PolicyPreview, RuleRef, TestReport } from 'tailnet-kit/slim'
import { type Child, card, field, h, list, live, problem, prose, whenNew } from './dom.js'
import type { Reading } from './editor.js'
import { ask, known as context } from './kit.js'
import { kept } from './storage.js'
import { write } from './url.js'
import type { Card, Workbench } from './workbench.js'

/** Whether rules can be asked for by this name. */
export const askable = (name: string) => name !== ''

/** A card of answers, with the verb that gives them; beside its title it says which text they are about. */
export const answerCard = (title: string, verb: string, aside: Child, ...content: Child[]) =>
  card(title, h('span.aside', h('code.verb', verb), h('small.about'), aside), ...content)

/** The text that an answer is about, which leads to its lines. */
type Answered = Pick<Workbench, 'reading'>

/** An entry of a list that leads to a line of that text. */
const entry = (of: Answered, line: number, kind: string, ...words: Child[]) =>
  h('li', h(`button.row ${kind}`, { onclick: () => of.reading.goTo(line) }, h('span.line', line), h('span', ...words)))

/** An entry that shows the rule itself. */
export const rule = (of: Answered, { line }: RuleRef, why?: string) => entry(of, line, '', h('code', of.reading.rule(line)), why && h('small', ...prose(why)))

/** Names that mean nothing in the policy, or a login that nothing names, and what may be meant. */
const nowhere = (unresolved: string[], hint?: string) =>
  unresolved.length === 0 && hint
    ? [h('p.warning', 'Neither the text nor the devices name this login: ', ...prose(hint))]
    : unresolved.map((name) => h('p.warning', `${name} is no name of this policy or its network.`, hint && h('small', ...prose(hint))))

const RANKS = { error: 0, warning: 1, info: 2 }

/** Findings of failing tests: the policy's access is known all the same. */
const TESTS: string[] = ['test_failed', 'invalid_ssh_test']

/** Whether a text with these findings has access that the other cards can show. */
export const answerable = ({ accepted, issues }: PolicyCheck) => accepted || issues.every(({ severity, code }) => severity !== 'error' || TESTS.includes(code))

/** The service's verdict, every finding, and the tests of the text. */
export function judgement(bench: Workbench) {
  const [verdict, issues, tally, tests] = [h('p.verdict', { role: 'status' }), h('ol'), h('small'), h('ol')]
  const checking = h('p.quiet', 'Checking …')
  /** The text of the verdict. It may be a refused one, for which the cards still show an earlier text. */
  const judged: Answered = { reading: bench.reading }
  const findings = h('section.findings', { ariaLabel: 'Issues', hidden: true }, issues)
  const finding = ({ severity, line, message, hint }: Issue) => {
    const words = [h('span.hidden', `${severity}: `), ...prose(message), hint && h('small', ...prose(hint))]
    return entry(judged, line, severity, ...words)
  }
  const result = ({ line, src, section, passed, errors }: TestReport['results'][number]) => {
    const outcome = passed === null ? 'unknown' : passed ? 'passed' : 'failed'
    const words = [h('code', src), section === 'sshTests' && ' over ssh', ' ', h('span.outcome', outcome)]
    return entry(bench, line, outcome, ...words, ...errors.map((error) => h('small', error)))
  }
  const told = ({ accepted, message, issues, tests }: PolicyCheck) => {
    const warnings = issues.filter(({ severity }) => severity === 'warning').length
    const noted = warnings ? `, with ${warnings} warning${warnings > 1 ? 's' : ''}` : ''
    const failed = tests.results.filter((test) => test.passed === false).length
    const why =
      message === 'test(s) failed' ? `${failed} of ${tests.results.length} test${tests.results.length > 1 ? 's' : ''} fail${failed > 1 ? '' : 's'}` : message
    return accepted ? `Would be accepted${noted}` : `Would be refused: ${why}`
  }
  const drawTests = whenNew(({ results }: TestReport) => {
    const passed = results.filter((test) => test.passed).length
    tally.textContent = results.length ? `${passed} of ${results.length} pass` : ''
    list(tests, results.map(result), 'The policy has no tests.')
  })
  return {
    judged,
    head: h('div.judged', checking, verdict),
    view: findings,
    tests: answerCard('Tests', 'runTests', tally, tests),
    /** Marks the verdict as one of an earlier text until the new one comes. */
    wait(): void {
      checking.hidden = verdict.textContent !== ''
      for (const part of [verdict, findings]) part.classList.add('past')
    },
    /** Shows that no verdict came. */
    fail: () => void (checking.hidden = true),
    show(check: PolicyCheck, reading: Reading): void {
      judged.reading = reading
      checking.hidden = true
      findings.classList.remove('past')
      verdict.className = `verdict ${check.accepted ? 'good' : 'bad'}`
      const words = told(check)
      if (verdict.textContent !== words) verdict.textContent = words
      findings.hidden = check.issues.length === 0
      // What refuses the text comes first.
      issues.replaceChildren(...check.issues.toSorted((one, other) => RANKS[one.severity] - RANKS[other.severity]).map(finding))
    },
    showTests: drawTests,
  }
}

/** "Which rules concern this user, tag, host, device or address?" */
export function who(bench: Workbench): Card {
  const { subject } = bench
  const [names, concerned] = [h('datalist', { id: 'names' }), h('ol', { ariaLive: 'polite' })]
  subject.addEventListener('input', () => {
    write({ for: subject.value.trim() })
    bench.refresh()
  })
  const suggest = whenNew((known: string[]) => names.replaceChildren(...known.map((value) => h('option', { value }))))
  const match = ({ lineNumber, users, ports, via, postures }: PolicyPreview['matches'][number]) => {
    const conditions = [via && `by way of ${via.join(', ')}`, postures && `while ${postures.join(' or ')} holds`]
    const words = [h('code', users.join(', ')), ' → ', h('code', ports.join(', '))]
    return entry(bench, lineNumber ?? 1, '', ...words, h('small', conditions.filter(Boolean).join('; ')))
  }
  const show = ({ user, matches, unknown, unresolved, hint }: PolicyPreview) => {
    const others = unknown.map((ref) => rule(bench, ref, 'perhaps: the text and the devices do not decide this'))
    const said = nowhere(unresolved, hint).map((words) => h('li', words))
    const none = askable(user) ? `No rule concerns ${user}.` : 'Name whom or what to see the rules.'
    list(concerned, [...said, ...matches.map(match), ...others], none)
    bench.reading.mark([...matches.map(({ lineNumber }) => lineNumber ?? 1), ...unknown.map(({ line }) => line)])
  }
  const refuse = (error: unknown) => () => {
    concerned.replaceChildren(h('li', problem(error)))
    bench.reading.mark([])
  }
  let untouched = !subject.value
  const update: Card['update'] = async ({ text, access: { sources, destinations } }) => {
    const devices = (context.devices ?? []).map(({ hostname, name }) => hostname ?? name?.split('.')[0] ?? '')
    suggest([...new Set([...sources, ...destinations, ...devices])].filter(askable))
    if (untouched) subject.value ||= sources.find((name) => name.includes('@')) ?? ''
    untouched = false
    const name = subject.value.trim()
    if (!askable(name)) return () => show({ user: name, matches: [], unknown: [], unresolved: [] })
    return ask('preview', text, name).then((answer) => () => show(answer), refuse)
  }
  return { update, view: answerCard('Who', 'preview', '', field('Rules that apply to', subject), names, concerned) }
}

/** Can A reach B?: allowed or denied, and why. */
export function flow(bench: Workbench): Card {
  const input = (name: string, placeholder: string) => kept(`flow.${name}`, h('input', { placeholder, autocomplete: 'off' }), bench.refresh)
  const [from, to] = [input('from', 'bob@example.com'), input('to', 'tag:db:5432')]
  const options = ['tcp', 'udp', 'sctp', 'icmp'].map((name) => h('option', name))
  const [proto, said] = [kept('flow.proto', h('select', ...options), bench.refresh), live()]
  for (const field of [from, bench.subject]) field.setAttribute('list', 'names')
  const explained =
    (asked: string) =>
    ({ verdict, part, because, nearMisses, unresolved, hint, hindrance }: Explanation) =>
    () => [
      h(`p.verdict ${verdict}`, `${verdict === 'partly' ? 'allowed in part' : verdict}: ${asked}`),
      verdict === 'unknown' && h('p.quiet', 'The text and the devices do not decide this.'),
      part?.from && h('p.quiet', `Only from ${joined(part.from)}.`),
      part?.to && h('p.quiet', `Only to ${joined(part.to)}.`),
      hindrance && h('p.quiet', `In the way: ${hindrance}.`),
      h('ol', ...because.map((ref) => rule(bench, ref))),
      nearMisses.length > 0 && h('h3', 'Closest rules'),
      h('ol', ...nearMisses.map((miss) => rule(bench, miss.rule, miss.why))),
      ...nowhere(unresolved, hint),
    ]
  const hint = () => [h('p.quiet', 'Enter a source and host:port to see whether it is allowed, and by which rule.')]
  const update: Card['update'] = async ({ text }) => {
    const flow = { from: from.value.trim(), to: to.value.trim(), proto: proto.value }
    const words = `${flow.from} → ${flow.to} over ${flow.proto}`
    const asked = flow.from && flow.to && ask('explain', text, flow).then(explained(words), (error) => () => [problem(error)])
    const parts = (await asked) || hint
    return () => said.replaceChildren(h('div', ...parts()))
  }
  const fields = h('div.fields', field('From', from), field('To', to), field('Protocol', proto))
  return { update, view: answerCard('Can A reach B?', 'explain', '', fields, said) }
}

/** How many destinations are named before the rest is counted. */
const NAMED = 8

const joined = (names: string[]) => names.slice(0, NAMED).join(', ') + (names.length > NAMED ? ` and ${names.length - NAMED} more` : '')
/** What may be said of what somebody gains or loses, beside where and what it is. */
type Conditions = Pick<Opening, 'postures' | 'via' | 'unless'> & Pick<AccessReach, 'part' | 'may' | 'why' | 'today'>

const NOT_ALL = { gains: ', no longer only', loses: ', now only', undecided: ', but not' }
export type Verb = keyof typeof NOT_ALL

/** On what condition something is gained or lost, which part of it is meant, why it is undecided, and why nobody can use it now. */
export function conditions(verb: Verb, { postures, via, unless, part, may, why, today }: Conditions): string {
  const terms = (of: Conditions['unless']) => (of?.postures ? ` with ${of.postures.join(' or ')}` : '') + (of?.via ? ` through ${of.via.join(' or ')}` : '')
  const parts = (part?.from ? ` (from ${joined(part.from)} only)` : '') + (part?.to ? ` (only ${joined(part.to)})` : '')
  const needed = terms({ ...(postures && { postures }), ...(via && { via }) })
  const reason = verb === 'undecided' ? `${MAY[may ?? 'either']}: ${why}` : why
  return `${needed}${unless ? NOT_ALL[verb] + terms(unless) : ''}${parts}${why ? ` (${reason})` : ''}${today ? ` (nobody today: ${today})` : ''}`
}

/** Entries of a list, as a screen reader reads them too. */
export const chip = (verb: Verb, ...words: Child[]) => h(`li.${verb}`, h('span.hidden', verb === 'undecided' ? 'undecided: ' : `${verb} `), ...words)

/** What may become of what is undecided, before the reason. */
const MAY = { gained: 'may be gained', lost: 'may be lost', either: 'may be gained or lost' }

const chips = (verb: Verb, reached: AccessReach[] = []) => {
  const told = (reach: AccessReach) => JSON.stringify([reach.ports, conditions(verb, { ...reach.opens[0], ...reach })])
  return [...Map.groupBy(reached, told).values()].map((alike) => {
    const [reach] = alike as [AccessReach]
    const ports = reach.ports.join(', ')
    const places = joined(alike.map(({ destination }) => destination))
    return chip(verb, `${places} `, h('b', ports === '*' ? 'all ports' : ports), conditions(verb, { ...reach.opens[0], ...reach }))
  })
}

/** Who gains and who loses access, as a list; sources with equal changes share an entry. */
export function gainsAndLosses(found: AccessChange[]): HTMLElement[] {
  const told = ({ gained, lost, undecided }: AccessChange) =>
    JSON.stringify([gained, lost, undecided].map((side) => side.map(({ because, ...reach }) => reach)))
  return [...Map.groupBy(found, told).values()].map((alike) => {
    const sources = h('code', joined(alike.map(({ source }) => source)))
    const [change] = alike
    return h('li', sources, h('ul', ...chips('gains', change?.gained), ...chips('loses', change?.lost), ...chips('undecided', change?.undecided)))
  })
}
