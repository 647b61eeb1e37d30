// HuJSON: JSON with comments and trailing commas, as text. Must not live here: what a policy means.

import type { HuJSONIssueCode, Issue } from './issue.js'

/** A value, or the reasons why there is none. */
export type Result<T> =
  | {
      /** There is a value. */
      ok: true
      /** The value. */
      value: T
      /** Warnings. */
      issues: Issue<HuJSONIssueCode>[]
    }
  | {
      /** There is no value. */
      ok: false
      /** At least one error, in the order of the text. */
      issues: Issue<HuJSONIssueCode>[]
    }

/** One operation of a JSON Patch (RFC 6902). */
export type JsonPatchOperation =
  | {
      /** Adds a member or element, replaces a value, or tests that a value is equal. */
      op: 'add' | 'replace' | 'test'
      /** JSON Pointer to the place. */
      path: string
      /** The value. */
      value: unknown
    }
  | {
      /** Removes a value, with its own comments. */
      op: 'remove'
      /** JSON Pointer to the place. */
      path: string
    }
  | {
      /** Moves or copies a value. */
      op: 'move' | 'copy'
      /** JSON Pointer to the source. */
      from: string
      /** JSON Pointer to the destination. */
      path: string
    }

/** A range of a text, in UTF-16 offsets, as editors count. */
export interface TextRange {
  /** Its start. */
  from: number
  /** Its end, exclusive. */
  to: number
}

/** Replaces a range by `insert`. A list of edits ascends, does not overlap, and uses offsets of the text before any edit. */
export interface TextEdit extends TextRange {
  /** The new text. */
  insert: string
}

/**
 * JSON with comments and trailing commas. Accepts what the service accepts, with the same errors; depth is limited to 512.
 * An argument that is not a string throws `invalid_argument`.
 */
export declare const hujson: HujsonFunctions

/** The functions of `hujson`. */
export interface HujsonFunctions {
  /**
   * The value, as `JSON.parse` would build it. Throws HuJSONSyntaxError.
   * @example hujson.parse('{"list": [1, 2,], "more": true} // and so on\n') // → { list: [1, 2], more: true }
   */
  parse(text: string): unknown
  /**
   * The same, with a syntax error as an issue, `hujson_syntax`; repeated names are warnings, `duplicate_key`.
   * @example hujson.tryParse('{"a": 1, "a": 2}').issues[0].code // → 'duplicate_key'
   */
  tryParse(text: string): Result<unknown>
  /**
   * Plain JSON of the same length in bytes, with the same lines: comments and trailing commas become blanks. Throws HuJSONSyntaxError.
   * @example hujson.standardize('[1,]') // → '[1 ]'
   */
  standardize(text: string): string
  /**
   * Plain JSON without white space; literals as written. Throws HuJSONSyntaxError.
   * @example hujson.minimize('[1, 2,] // two\n') // → '[1,2]'
   */
  minimize(text: string): string
  /**
   * The canonical layout, byte for byte that of the reference formatter; idempotent. Throws HuJSONSyntaxError.
   * @example hujson.format('{"a":1,}') // → '{"a": 1}\n'
   */
  format(text: string): string
  /**
   * The result of `JSON.stringify` in canonical layout: NaN becomes null, half of a surrogate pair U+FFFD. Throws
   * `invalid_argument` for what it cannot represent (functions, `undefined`, cycles, BigInt), for maps, promises and the like, and
   * for nesting deeper than 512.
   * @example hujson.stringify({ a: [1] }) // → '{"a": [1]}\n'
   */
  stringify(value: unknown): string
  /**
   * Whether this is JSON without comments and trailing commas; false for text that is not HuJSON.
   * @example hujson.isStandard('[1,]') // → false
   */
  isStandard(text: string): boolean
  /**
   * The value at a JSON Pointer and its position; of repeated names the last, as in `JSON.parse`. Null if there is none or the
   * pointer is malformed. Throws HuJSONSyntaxError.
   * @example hujson.find('{"a": [1, 2]}', '/a/1') // → { value: 2, line: 1, column: 11, offset: 10, length: 1 }
   */
  find(
    text: string,
    pointer: string,
  ): {
    /** The value. */
    value: unknown
    /** Line, from 1. */
    line: number
    /** Column, from 1, in bytes of UTF-8. */
    column: number
    /** Where the value starts, in UTF-16 units. */
    offset: number
    /** How long it is, in UTF-16 units. */
    length: number
  } | null
  /**
   * JSON Pointer to the value at a UTF-16 offset; in white space or a comment, to the object or array around it; `''` outside. Throws
   * HuJSONSyntaxError.
   * @example hujson.pointerAt('{"a": [1, 2]}', 10) // → '/a/1'
   */
  pointerAt(text: string, offset: number): string
  /**
   * Applies a JSON Patch to the text: comments and layout outside the changed places stay, even CR LF line ends. All or nothing.
   * The patch may be HuJSON itself; comments of an added value are kept. Throws JSONPatchError if the operations are at
   * fault (or copy more than 32 MiB), HuJSONSyntaxError if the text is, `invalid_argument` for operations that are not plain data.
   * @example hujson.patch('[1, // one\n 2]', [{ op: 'replace', path: '/1', value: 3 }]) // → '[1, // one\n 3]'
   */
  patch(text: string, operations: JsonPatchOperation[] | string): string
  /**
   * HuJSON in canonical layout from what people paste: bare names, single quotes, hex numbers; comments stay. Throws
   * HuJSONSyntaxError, also for NaN and Infinity.
   * @example hujson.fromJSON5("{a: 'b'}") // → '{"a": "b"}\n'
   */
  fromJSON5(text: string): string
}
