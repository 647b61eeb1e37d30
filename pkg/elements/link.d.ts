// Declarations of `tailnet-kit/elements/link`. Must not live here: what they declare (`types/link.d.ts`).

export { fromFile, fromFragment, LONGEST, toFragment } from '../types/link.cjs'
export type { Shown } from '../types/link.cjs'
