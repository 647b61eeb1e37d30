// Declarations of `tailnet-kit/elements/flow`. Must not live here: what the element declares (`types/flow.d.ts`).

export type { ElementEventMap, RuleDetail } from '../types/element.cjs'
export { TailnetFlow } from '../types/flow.cjs'
export type { EditDetail, FlowEventMap } from '../types/flow.cjs'
