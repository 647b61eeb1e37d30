// Compares each name of the contract with ours, down to the members of types and namespaces. A name that is missing or narrower must
// be in the list of names still to come, and no other may be: the list can only shrink. The check writes two files beside this
// one: `ours` (all entries as one module) and `names` (the pairs of types by name, and that list). Must not live here: uses, the list.

import type { AbsentTypes, Listed, Types } from './names.mjs'
import type * as ours from './ours.mjs'
import type * as theirs from './contract.mjs'

type Ours = typeof ours
type Theirs = typeof theirs

type Call = (...given: never[]) => unknown
type Class = abstract new (...given: never[]) => unknown

/** Whether both are exactly the same; `any` and `unknown` are the same only as themselves. */
type Identical<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Whether each is assignable to the other. */
type Same<A, B> = [A, B] extends [B, A] ? true : false
/** Whether ours is assignable to theirs, and takes all that theirs takes: methods are compared less strictly otherwise. */
type Callable<A, B extends Call> = A extends Call ? ([A, Taken<Parameters<B>>] extends [B, Parameters<A>] ? true : OfClient<A, B>) : false
/** Parameters with our opened documents for theirs: only the package makes such, and answers of their verbs may hold more. */
type Taken<Parameters> = {
  [At in keyof Parameters]: theirs.PolicyDocument extends Parameters[At] ? Exclude<Parameters[At], theirs.PolicyDocument> | ours.PolicyDocument : Parameters[At]
}
/** The same of functions that take a client, which may have more methods than the contract's. */
type OfClient<A extends Call, B extends Call> =
  Parameters<B> extends [theirs.TailnetClient, ...infer Rest]
    ? [ReturnType<A>, [ours.TailnetClient, ...Rest]] extends [ReturnType<B>, Parameters<A>]
      ? true
      : false
    : false
type Constructible<A, B extends Class> = A extends Class ? ([ConstructorParameters<B>] extends [ConstructorParameters<A>] ? true : false) : false

/** The names of members, without index signatures; for a union the names of all its parts. */
type Members<T> = T extends unknown ? keyof { [Name in keyof T as string extends Name ? never : Name extends string ? Name : never]: 0 } : never
type Member<T, Name> = T extends unknown ? (Name extends keyof T ? T[Name] : never) : never
/** Whether it has functions and namespaces, and nothing else. */
type IsNamespace<T> = T extends Call | Class
  ? false
  : T extends object
    ? true extends { [Name in keyof T]-?: T[Name] extends Call ? never : IsNamespace<T[Name]> extends true ? never : true }[keyof T]
      ? false
      : true
    : false

type Agree<A, B> = [B] extends [Call] ? Callable<A, B> : [B] extends [Class] ? Constructible<A, B> : Same<A, B>
/** The words of a list. */
type Words<T> = NonNullable<T> extends readonly (infer Word)[] ? Word : unknown
/** What is wrong with one value or member: nothing, its own name, or the names of wrong members in it. */
type Wrong<Path extends string, A, B> =
  Identical<A, B> extends true ? never : IsNamespace<B> extends true ? Within<Path, A, B> : true extends Agree<A, B> | Wider<Words<A>, Words<B>> ? never : Path
type Within<Path extends string, A, B> =
  | `${Path}.${Exclude<Members<B>, Members<A>>}`
  | { [Name in Members<A> & Members<B>]: Wrong<`${Path}.${Name}`, Member<A, Name>, Member<B, Name>> }[Members<A> & Members<B>]
/** Whether both are words, and ours has all of theirs: names of our own may join those of the contract. */
type Wider<A, B> = [A | B] extends [string] ? ([B] extends [A] ? true : false) : false
/** Whether ours has all of theirs, and besides only methods and namespaces of its own. */
type Richer<A, B> = [A] extends [B] ? (IsNamespace<Omit<A, Members<B>>> extends true ? true : false) : false
/** A type that is only ever answered, of which ours may hold more, and one that is only ever given, of which ours may take more. */
type Answered = 'PolicyReview'
type Given = 'GatewayOptions'
type Larger<Path, A, B> = Path extends Answered ? ([A] extends [B] ? true : false) : Path extends Given ? ([B] extends [A] ? true : false) : false
/** The wrong members of a type; its own name where all members are right and the whole is not. */
type WrongType<Path extends string, A, B> = [Within<Path, A, B>] extends [never]
  ? true extends Same<A, B> | Wider<A, B> | Richer<A, B> | Larger<Path, A, B>
    ? never
    : Path
  : Within<Path, A, B>

type WrongTypes = { [Name in keyof Types]: Types[Name] extends [infer A, infer B] ? WrongType<Name, A, B> : never }[keyof Types]
type WrongValues = { [Name in keyof Theirs & keyof Ours]: Wrong<Name, Ours[Name], Theirs[Name]> }[keyof Theirs & keyof Ours]
type Found = AbsentTypes | Exclude<keyof Theirs, keyof Ours> | WrongTypes | WrongValues

/** Members of an object, as the compiler's messages spell those out. */
declare const missingOrNarrower: { [Name in Exclude<Found, Listed>]: Name }[Exclude<Found, Listed>]
declare const noLongerToCome: { [Name in Exclude<Listed, Found>]: Name }[Exclude<Listed, Found>]
/** Compiles when there are none of these. */
export const none: never[] = [missingOrNarrower, noLongerToCome]
