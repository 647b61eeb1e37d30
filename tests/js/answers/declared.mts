// A declared answer made exact: only the named fields, and where the service may add words to a union, only those that we name.
// Must not live here: answers, calls.

import type { ReadPolicy } from 'tailnet-kit'

/** The named words of a union; any text where it names none. */
type Word<T> = T extends string ? (string extends T ? never : T) : T
type Words<T> = [Extract<T, string>] extends [never] ? T : [Extract<Word<T>, string>] extends [never] ? T : Word<T>

/** The members that have a name. */
type Named<T> = keyof { [Name in keyof T as string extends Name ? never : Name]: 0 }

/** Whether it is a policy that was read, in which anything may stand. */
type IsRead<T> = [T, ReadPolicy] extends [ReadPolicy, T] ? true : false

/** The type without index signatures, at every depth; of a map its values are made exact. */
export type Closed<T> = IsRead<T> extends true ? T : Each<Words<T>>
type Each<T> = T extends (infer One)[]
  ? number extends T['length'] ? Closed<One>[] : { [Place in keyof T]: Closed<T[Place]> }
  : T extends object
    ? [Named<T>] extends [never] ? { [Name in keyof T]: Closed<T[Name]> } : { [Name in keyof T as string extends Name ? never : Name]: Closed<T[Name]> }
    : T
