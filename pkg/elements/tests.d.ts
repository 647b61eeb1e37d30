// Declarations of `tailnet-kit/elements/tests`. Must not live here: what the element declares (`types/tests.d.ts`).

export type { ElementEventMap, RuleDetail } from '../types/element.cjs'
export { TailnetTests } from '../types/tests.cjs'
export type { TestsEventMap } from '../types/tests.cjs'
