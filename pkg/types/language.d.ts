// Declarations of the language service. Must not live here: editors, what a policy means (`policy.d.ts`).

import type { TextEdit, TextRange } from './hujson.js'
import type { Issue, PolicyIssueCode } from './issue.js'
import type { DialectOptions, PolicyContext } from './policy.js'

export type { TextEdit, TextRange } from './hujson.js'

/** What can be named in a policy. */
export type NameKind = 'group' | 'tag' | 'host' | 'ipset' | 'posture' | 'service'

/**
 * The language service: what an editor asks about the text of a policy. Stateless; it never throws because of the text, however broken. Positions are
 * UTF-16 offsets; one beyond the end of the text means its end. `context` is what is known of the tailnet, as for `policy`; the dialect is that of
 * the options, else of the context, else the one that the first line of the text names.
 * The examples of its members go on from this one.
 * @example
 * const broken = text.replace('tag:web:22', 'tag:wbe:22')
 * const at = text.indexOf('group:dev"], "dst"')
 */
export declare const language: LanguageFunctions

/** The functions of `language`. */
export interface LanguageFunctions {
  /**
   * The issues of `policy.check` with their ranges and fixes.
   * @example language.diagnostics(broken)[0].fixes[0].title // → 'Write tag:web'
   */
  diagnostics(text: string, context?: PolicyContext, options?: DialectOptions): Diagnostic[]
  /**
   * What may be written at this position, in the order of use.
   * @example language.complete(text, at).items.some(({ label }) => label === 'tag:web') // → true
   */
  complete(text: string, offset: number, context?: PolicyContext, options?: DialectOptions): CompletionList
  /**
   * Information on the word at this position.
   * @example language.hover(text, at)?.markdown
   */
  hover(text: string, offset: number, context?: PolicyContext, options?: DialectOptions): Hover | null
  /**
   * Where the name at this position is defined.
   * @example language.definition(text, at) // → { from: 16, to: 25 }
   */
  definition(text: string, offset: number, options?: DialectOptions): TextRange | null
  /**
   * Every occurrence of the name at this position, its definition first.
   * @example language.references(text, at).length // → 4
   */
  references(text: string, offset: number, options?: DialectOptions): Reference[]
  /**
   * The name at this position, if it can be renamed.
   * @example language.renameable(text, at)?.name // → 'group:dev'
   */
  renameable(text: string, offset: number, options?: DialectOptions): (TextRange & { name: string; kind: NameKind }) | null
  /**
   * The edits that rename it, like `policy.edit.rename`; `invalid_argument` for a name that is invalid or taken.
   * @example policy.edit.apply(text, language.rename(text, at, 'sre')).includes('group:sre') // → true
   */
  rename(text: string, offset: number, name: string, options?: DialectOptions): TextEdit[]
  /**
   * The outline: sections with their names, rules and tests.
   * @example language.symbols(text).map(({ name }) => name) // → ['groups', 'tagOwners', 'acls', 'ssh', 'tests']
   */
  symbols(text: string, options?: DialectOptions): DocumentSymbol[]
  /**
   * What can be folded, in the order of the text.
   * @example language.folding('{\n  "acls": [\n  ],\n}')[0].kind
   */
  folding(text: string, options?: DialectOptions): FoldingRange[]
  /**
   * What to select around this position, from the inside out.
   * @example language.selection(text, at).map(({ from, to }) => text.slice(from, to))[0] // → 'group:dev'
   */
  selection(text: string, offset: number, options?: DialectOptions): TextRange[]
  /**
   * The tokens of a range, or of the whole text: ascending, without overlap.
   * @example language.tokens('{"acls": []}').map(({ type }) => type)
   */
  tokens(text: string, range?: TextRange | null, options?: DialectOptions): Token[]
  /**
   * The inlay hints of a range, or of the whole text.
   * @example language.inlay(text, null, context).map(({ text }) => text)
   */
  inlay(text: string, range?: TextRange | null, context?: PolicyContext, options?: DialectOptions): Inlay[]
  /**
   * What can be done in a range: fixes of its issues, and refactorings; only the first of either in a very long one.
   * @example language.actions(broken, { from: 0, to: broken.length }).map(({ title }) => title)
   */
  actions(text: string, range: TextRange, context?: PolicyContext, options?: DialectOptions): Action[]
}

/** The same functions, synchronous or not: for example `language` run in a worker. */
export type LanguageService = { [Verb in keyof typeof language]: Later<(typeof language)[Verb]> }

/** A call that answers at once or later. */
export type Later<Call extends (...a: never[]) => unknown> = (...a: Parameters<Call>) => ReturnType<Call> | Promise<ReturnType<Call>>

/** An issue with its range. */
export interface Diagnostic extends Issue<PolicyIssueCode>, TextRange {
  /** Its fixes. In a text with very many issues only the first issues have them here; `actions` gives those of a range. */
  fixes: Action[]
}

/** What may be written; `from`..`to` is what an item replaces. */
export interface CompletionList extends TextRange {
  /** In the order of use. */
  items: CompletionItem[]
}

/** One proposal. */
export interface CompletionItem {
  /** What to show. */
  label: string
  /** What it is. */
  kind: CompletionKind
  /** What to put into the text. */
  insert: string
  /** Whether `insert` holds `${1:place holders}`. */
  snippet?: boolean
  /** A few words to show beside it, such as the service name of a port. */
  detail?: string
  /** More about it, in Markdown. */
  documentation?: string
}

/** What a completion is. */
export type CompletionKind =
  | NameKind
  | 'key'
  | 'user'
  | 'device'
  | 'autogroup'
  | 'address'
  | 'protocol'
  | 'port'
  | 'capability'
  | 'attribute'
  | 'operator'
  | 'value'
  | 'rule'

/** Information on a word, and the range of the word. */
export interface Hover extends TextRange {
  /** Markdown. */
  markdown: string
}

/** An occurrence of a name. */
export interface Reference extends TextRange {
  /** Whether it is defined here. */
  definition: boolean
  /** JSON Pointer (RFC 6901) to the value that contains it, or to the member that it names. */
  pointer: string
}

/** An entry of the outline. */
export interface DocumentSymbol {
  /** What to show. */
  name: string
  /** What it is. */
  kind: NameKind | 'section' | 'rule' | 'test'
  /** A short description. */
  detail?: string
  /** Its whole range. */
  range: TextRange
  /** The range to select when it is chosen. */
  selection: TextRange
  /** Its children. */
  children: DocumentSymbol[]
}

/** What can be folded: from after the opening bracket to before the closing one; for comments from the end of the first line. */
export interface FoldingRange extends TextRange {
  /** What it is. */
  kind: 'section' | 'entry' | 'list' | 'comment'
}

/** A range of the text of one kind. */
export interface Token extends TextRange {
  /** Its kind. */
  type: TokenType
  /** Whether a name is defined here. */
  definition?: boolean
}

/** What a token is. */
export type TokenType =
  | 'comment'
  | 'key'
  | 'string'
  | 'number'
  | 'literal'
  | 'punctuation'
  | 'invalid'
  | NameKind
  | 'user'
  | 'autogroup'
  | 'any'
  | 'address'
  | 'port'
  | 'protocol'
  | 'capability'
  | 'attribute'
  | 'operator'

/** An inlay hint: a remark to show between the words of the text. */
export interface Inlay {
  /** Its position. */
  at: number
  /** What it says. */
  text: string
  /** `resolves`: what a selector stands for; `test`: how a test ends; `unreached`: a rule that nothing can use. */
  kind: 'resolves' | 'test' | 'unreached'
  /** More details. */
  tooltip?: string
}

/**
 * A change of the text on offer. A fix removes the issue with the code `fixes` and adds none (except `never_matches`, if it defines something
 * that is still empty).
 */
export interface Action {
  /** What it does, as a title. */
  title: string
  /** What it is for. */
  kind: 'fix' | 'refactor'
  /** Its edits. */
  edits: TextEdit[]
  /** The code of the issue that it removes. */
  fixes?: PolicyIssueCode
  /** Whether to offer it first. */
  preferred?: boolean
}
