// Declarations of `tailnet-kit/elements/save`. Must not live here: what the element declares (`types/save.d.ts`).

export type { ElementEventMap } from '../types/element.cjs'
export { TailnetSave } from '../types/save.cjs'
export type { SaveEventMap } from '../types/save.cjs'
