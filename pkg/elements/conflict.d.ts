// Declarations of `tailnet-kit/elements/conflict`. Must not live here: what they declare (`types/conflict.d.ts`).

export type { ElementEventMap } from '../types/element.cjs'
export { merge, TailnetConflict } from '../types/conflict.cjs'
export type { Conflict, ConflictEventMap } from '../types/conflict.cjs'
