// What all custom elements of `tailnet-kit/elements` have in common. Must not live here: a single element.

/** A place of a text to which an element leads. */
export interface RuleDetail {
  /** Its line, from 1. */
  line: number
  /** Of which text of the element. */
  text: 'value' | 'base'
  /** The section of the rule, if it is one. */
  section?: 'acls' | 'grants' | 'ssh'
  /** The place of the rule in its section, from 0. */
  index?: number
  /** What changed there, as in `policy.diff`, if it is a change. */
  pointer?: string
}

/** A cell of the matrix to which an element leads. */
export interface CellDetail {
  /** The name of its row. */
  source: string
  /** The name of its column. */
  destination: string
  /** Of which matrix. */
  of: 'ports' | 'logins'
}

/** The events that every element sends. They bubble, and leave its shadow root. */
export interface ElementEventMap<Answer> extends HTMLElementEventMap {
  /** What the element shows now. */
  answer: CustomEvent<Answer>
  /** Why there is no answer: what `policy` throws for such a text. The element shows its message, and the last answer as one of an earlier text. */
  fault: CustomEvent<unknown>
  /** Somebody wants to see a rule. */
  rule: CustomEvent<RuleDetail>
}

/** A custom element with these events. Texts are attributes too, in lower case; everything else is a property alone. */
export declare class KitElement<Events> extends HTMLElement {
  /** What is said of the answer while it is one of an earlier text, as `together` does; empty where it is not. Part `outdated`. */
  outdated: string
  addEventListener<Type extends keyof Events>(type: Type, listener: (event: Events[Type]) => unknown, options?: boolean | AddEventListenerOptions): void
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void
}
