// The tests of the text, which no element of the package shows. Must not live here: how they are run.
import type { TestReport } from 'tailnet-kit/slim'
import { card, h, list } from './dom.js'
import { code } from './take.js'

/** The tests of the text. */
export function testsCard(goTo: (line: number) => unknown) {
  const [tally, tests] = [h('small'), h('ol')]
  const result = ({ line, src, section, passed, errors }: TestReport['results'][number]) => {
    const outcome = passed === null ? 'unknown' : passed ? 'passed' : 'failed'
    const words = [h('code', src), section === 'sshTests' && ' over ssh', ' ', h('span.outcome', outcome)]
    const row = h(
      `button.row ${outcome}`,
      { onclick: () => goTo(line) },
      h('span.line', line),
      h('span', ...words, ...errors.map((error) => h('small', error))),
    )
    return h('li', row)
  }
  const show = ({ results }: TestReport) => {
    const passed = results.filter((test) => test.passed).length
    tally.textContent = results.length ? `${passed} of ${results.length} pass` : ''
    list(tests, results.map(result), 'The policy has no tests.')
  }
  return { view: card('Tests', tally, code('runTests'), tests), show }
}
