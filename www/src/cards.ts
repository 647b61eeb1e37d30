// What no element of the package shows: the rules that apply to somebody, and the tests of the text. Must not live here: how an answer is found.
import type { PolicyCheck, PolicyContext, PolicyPreview, TestReport } from 'tailnet-kit/slim'
import { judge } from './answers.js'
import { type Child, card, field, h, list, problem, prose } from './dom.js'
import { code } from './take.js'
import { write } from './url.js'

/** An entry of a list that leads to a line. */
const entry = (goTo: (line: number) => void, line: number, kind: string, ...words: Child[]) =>
  h('li', h(`button.row ${kind}`, { onclick: () => goTo(line) }, h('span.line', line), h('span', ...words)))

/** Findings of failing tests: the policy's access is known all the same. */
const TESTS: string[] = ['test_failed', 'invalid_ssh_test']

/** Whether a text with these findings has access that the cards can show. */
export const answerable = ({ accepted, issues }: PolicyCheck) => accepted || issues.every(({ severity, code }) => severity !== 'error' || TESTS.includes(code))

/** The tests of the text. */
export function testsCard(goTo: (line: number) => void) {
  const [tally, tests] = [h('small'), h('ol')]
  const result = ({ line, src, section, passed, errors }: TestReport['results'][number]) => {
    const outcome = passed === null ? 'unknown' : passed ? 'passed' : 'failed'
    const words = [h('code', src), section === 'sshTests' && ' over ssh', ' ', h('span.outcome', outcome)]
    return entry(goTo, line, outcome, ...words, ...errors.map((error) => h('small', error)))
  }
  const show = ({ results }: TestReport) => {
    const passed = results.filter((test) => test.passed).length
    tally.textContent = results.length ? `${passed} of ${results.length} pass` : ''
    list(tests, results.map(result), 'The policy has no tests.')
  }
  return { view: card('Tests', tally, code('runTests'), tests), show }
}

/** "Which rules apply to this user, tag, host, device or address?" */
export function whoCard(lead: { goTo(line: number): void; mark(lines: number[]): void }, begin = '') {
  const subject = h('input', { id: 'subject', value: begin, placeholder: 'user, tag, group, host, device or ip:port' })
  const concerned = h('ol', { ariaLive: 'polite' })
  let asked: [text: string, network: PolicyContext] | undefined
  const name = () => subject.value.trim()
  const found = ({ user, matches, unknown, unresolved, hint }: PolicyPreview): HTMLElement[] => {
    const nowhere = unresolved.map((name) => h('li.warning', `${name} is no name of this policy or its network.`, hint && h('small', ...prose(hint))))
    if (unresolved.length === 0 && hint) nowhere.push(h('li.warning', 'Neither the text nor the devices name this login: ', ...prose(hint)))
    const rules = matches.map(({ lineNumber, users, ports, via, postures }) => {
      const conditions = [via && `by way of ${via.join(', ')}`, postures && `while ${postures.join(' or ')} holds`]
      const words = [h('code', users.join(', ')), ' → ', h('code', ports.join(', '))]
      return entry(lead.goTo, lineNumber ?? 1, '', ...words, h('small', conditions.filter(Boolean).join('; ')))
    })
    const open = unknown.map(({ line }) => entry(lead.goTo, line, 'unknown', 'perhaps: policy and network do not decide this'))
    const all = [...nowhere, ...rules, ...open]
    return all.length ? all : [h('li.quiet', `No rule applies to ${user}.`)]
  }
  const draw = async (isMarked: boolean) => {
    if (!asked) return
    const [question, subject] = [asked, name()]
    const answer = await judgeOf(subject, ...question).catch((error: unknown) => error as Error)
    if (question !== asked || subject !== name()) return
    const isNone = answer instanceof Error || answer === undefined
    concerned.replaceChildren(
      ...(answer instanceof Error ? [h('li', problem(answer))] : answer ? found(answer) : [h('li.quiet', 'Enter a name to see its rules.')]),
    )
    if (isMarked) lead.mark(isNone ? [] : [...answer.matches.map(({ lineNumber }) => lineNumber ?? 1), ...answer.unknown.map(({ line }) => line)])
  }
  subject.oninput = () => {
    void write({ for: name() })
    void draw(true)
  }
  return {
    view: card('Rules that apply to', null, code('preview'), field('Rules that apply to', subject), concerned),
    name,
    choose(words: string): void {
      subject.value = words
      void draw(true)
    },
    show(text: string, network: PolicyContext): void {
      asked = [text, network]
      void draw(false)
    },
  }
}

const judgeOf = async (name: string, text: string, network: PolicyContext) => (name ? judge<PolicyPreview>('preview', text, name, network) : undefined)
