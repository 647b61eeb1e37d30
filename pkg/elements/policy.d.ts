// Declarations of `tailnet-kit/elements/policy`. Must not live here: what the element declares (`types/policy-editor.d.ts`).

export type { ElementEventMap, RuleDetail } from '../types/element.cjs'
export { TailnetPolicy } from '../types/policy-editor.cjs'
export type { PolicyEventMap } from '../types/policy-editor.cjs'
