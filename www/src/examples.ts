// Which example tailnets there are, and edits of their policies that are worth a try. Must not live here: their policies and devices (`tailnets.ts`), what
// an edit changes in access.
import { policy } from 'tailnet-kit/slim'
import all from './examples/examples.json'

/** A change of a text that gives or takes access: calls of `policy.edit`, with what stands after the text. */
export type Edit = { label: string; isFirst?: boolean; calls: unknown[][] }

/** An example tailnet; in the page it is one of `tailnets.ts`, or else what a new sandbox has, of Headscale where that is the dialect. */
export type Example = { title: string; about: string; dialect?: string; edits: Edit[] }

/** The examples by the names that a page's address has for them. */
export const examples: Record<string, Example> = all

const verbs = policy.edit as unknown as Record<string, (text: string, ...rest: unknown[]) => string>

/** The text with the edit made in it. */
export const edited = (text: string, { calls }: Edit) => calls.reduce((now, [verb, ...rest]) => verbs[String(verb)]?.(now, ...rest) ?? now, text)
