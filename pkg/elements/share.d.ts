// Declarations of `tailnet-kit/elements/share`. Must not live here: what the element declares (`types/share.d.ts`).

export type { ElementEventMap } from '../types/element.cjs'
export { TailnetShare } from '../types/share.cjs'
export type { ShareEventMap } from '../types/share.cjs'
