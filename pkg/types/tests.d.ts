// `<tailnet-tests>`. Must not live here: what a report is (`policy.d.ts`).

import type { ElementEventMap, KitElement } from './element.js'
import type { PolicyContext, TestReport } from './policy.js'

/** The events of `<tailnet-tests>`. */
export interface TestsEventMap extends ElementEventMap<TestReport> {}

/**
 * `<tailnet-tests>`: the tests of a policy, which of them pass and why others fail, as `policy.runTests` has them; each leads to its line.
 * Parts: `body`, `tests`, `rule`, `fault`.
 * @example
 * const tests = document.createElement('tailnet-tests')
 * Object.assign(tests, { value: text, context })
 * tests.addEventListener('answer', ({ detail }) => console.log(detail.passed))
 */
export declare class TailnetTests extends KitElement<TestsEventMap> {
  /** The policy, as text. */
  value: string
  /** The network. */
  context: PolicyContext | undefined
}

declare global {
  interface HTMLElementTagNameMap {
    'tailnet-tests': TailnetTests
  }
}
