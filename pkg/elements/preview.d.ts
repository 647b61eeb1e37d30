// Declarations of `tailnet-kit/elements/preview`. Must not live here: what the element declares (`types/preview.d.ts`).

export type { ElementEventMap, RuleDetail } from '../types/element.cjs'
export { TailnetPreview } from '../types/preview.cjs'
export type { PreviewEventMap } from '../types/preview.cjs'
