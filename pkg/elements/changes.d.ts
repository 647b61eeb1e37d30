// Declarations of `tailnet-kit/elements/changes`. Must not live here: what the element declares (`types/changes.d.ts`).

export type { CellDetail, ElementEventMap, RuleDetail } from '../types/element.cjs'
export { TailnetChanges } from '../types/changes.cjs'
export type { ChangesEventMap } from '../types/changes.cjs'
