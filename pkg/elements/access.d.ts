// Declarations of `tailnet-kit/elements/access`. Must not live here: what the element declares (`types/access.d.ts`).

export type { CellDetail, ElementEventMap, RuleDetail } from '../types/element.cjs'
export { TailnetAccess } from '../types/access.cjs'
export type { AccessEventMap, ChosenCell, ShownMatrix } from '../types/access.cjs'
