// Declarations of `tailnet-kit/elements`: all elements. Must not live here: declarations of a single element (`types`).

export { TailnetChanges } from './elements/changes.js'
export type { ChangesEventMap, CellDetail, ElementEventMap, RuleDetail } from './elements/changes.js'
