// What a link to a page of elements carries. Must not live here: elements.

import type { PolicyContext } from './policy.js'

/** What elements of a page show, by the names of their properties; what a link leaves out is absent. */
export interface Shown {
  /** The policy. */
  value?: string | undefined
  /** What it is compared with. */
  base?: string | undefined
  /** The network. */
  context?: PolicyContext | undefined
}

/** The longest address that mail and chat programs leave whole, in characters: what is longer is better given away as a file. */
export declare const LONGEST: 8192

/**
 * The fragment of an address that carries what elements show, compressed: a browser sends it to no server. Other parameters of `fragment` stay, and what
 * is absent in `shown` is removed from it.
 * @example
 * const link = new URL(await toFragment({ value: text, base: text.replace('443', '22'), context }), 'https://example.com/')
 * link.href.length <= LONGEST // → true
 */
export declare function toFragment(shown: Shown, fragment?: string): Promise<string>

/**
 * What a file holds that `<tailnet-share>` makes in place of a link; undefined for any other text.
 * @example fromFile(JSON.stringify({ value: text })) // → { value: text, base: undefined, context: undefined }
 */
export declare function fromFile(text: string): Shown | undefined

/**
 * What such a fragment carries, to set on elements. A part that was cut off in transit is left out.
 * @example
 * const { value = '' } = await fromFragment(await toFragment({ value: text }))
 * value // → text
 */
export declare function fromFragment(fragment: string): Promise<Shown>
