// Declarations of `tailnet-kit/elements`: all elements but `<tailnet-policy>`, which needs CodeMirror (`elements/policy.d.ts`). Must not live here: declarations of a single element (`types`).

export { TailnetAccess } from './elements/access.js'
export type { AccessEventMap, ChosenCell, ShownMatrix } from './elements/access.js'
export { TailnetChanges } from './elements/changes.js'
export type { CellDetail, ChangesEventMap, ElementEventMap, RuleDetail } from './elements/changes.js'
export { TailnetFlow } from './elements/flow.js'
export type { EditDetail, FlowEventMap } from './elements/flow.js'
