// What a call may answer, as its declaration says, but to the letter: no field beside those that have a name, and of words that the service may
// extend only those that we know. Must not live here: answers, calls.

/** Words that are named; of words without a name all. */
type Word<T> = T extends string ? (string extends T ? never : T) : T
type Words<T> = [Extract<T, string>] extends [never] ? T : [Extract<Word<T>, string>] extends [never] ? T : Word<T>

/** The members that have a name. */
type Named<T> = keyof { [Name in keyof T as string extends Name ? never : Name]: 0 }

/** Closed to whatever has no name, all the way down; of a map without names its values. */
export type Closed<T> = Each<Words<T>>
type Each<T> = T extends (infer One)[]
  ? number extends T['length'] ? Closed<One>[] : { [Place in keyof T]: Closed<T[Place]> }
  : T extends object
    ? [Named<T>] extends [never] ? { [Name in keyof T]: Closed<T[Name]> } : { [Name in keyof T as string extends Name ? never : Name]: Closed<T[Name]> }
    : T
