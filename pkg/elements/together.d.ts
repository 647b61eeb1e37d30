// Declarations of `tailnet-kit/elements/together`. Must not live here: what they declare (`types/together.d.ts`).

export { together } from '../types/together.cjs'
export type { Elements, Together } from '../types/together.cjs'
