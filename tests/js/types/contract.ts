// Each name of the contract against ours, down to the members of types and namespaces. What is missing or narrower has to
// stand in the list of what is still to come, and the list holds nothing else: it can only shrink. Beside this file lie
// `ours` (all entries as one module) and `names` (the pairs of types by name, and that list), both written by the check.
// Must not live here: uses, the list.

import type { AbsentTypes, Listed, Types } from './names.mjs'
import type * as ours from './ours.mjs'
import type * as theirs from './contract.mjs'

type Ours = typeof ours
type Theirs = typeof theirs

type Call = (...given: never[]) => unknown
type Class = abstract new (...given: never[]) => unknown

/** Alike to the letter; both `any` and `unknown` are like themselves alone. */
type Identical<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Either can stand for the other. */
type Same<A, B> = [A, B] extends [B, A] ? true : false
/** Ours can stand for theirs, and takes whatever theirs takes: methods alone would be compared more leniently. */
type Callable<A, B extends Call> = A extends Call ? ([A, Parameters<B>] extends [B, Parameters<A>] ? true : false) : false
type Constructible<A, B extends Class> = A extends Class ? ([ConstructorParameters<B>] extends [ConstructorParameters<A>] ? true : false) : false

/** Names of members, those of an index signature left out; of a union the names of all its parts. */
type Members<T> = T extends unknown ? keyof { [Name in keyof T as string extends Name ? never : Name extends string ? Name : never]: 0 } : never
type Member<T, Name> = T extends unknown ? (Name extends keyof T ? T[Name] : never) : never
/** Holds functions and namespaces, and nothing else. */
type IsNamespace<T> = T extends Call | Class
  ? false
  : T extends object
    ? true extends { [Name in keyof T]-?: T[Name] extends Call ? never : IsNamespace<T[Name]> extends true ? never : true }[keyof T]
      ? false
      : true
    : false

type Agree<A, B> = [B] extends [Call] ? Callable<A, B> : [B] extends [Class] ? Constructible<A, B> : Same<A, B>
/** What is wrong with one value or member: nothing, its own name, or what is wrong within. */
type Wrong<Path extends string, A, B> =
  Identical<A, B> extends true ? never : IsNamespace<B> extends true ? Within<Path, A, B> : Agree<A, B> extends true ? never : Path
type Within<Path extends string, A, B> =
  | `${Path}.${Exclude<Members<B>, Members<A>>}`
  | { [Name in Members<A> & Members<B>]: Wrong<`${Path}.${Name}`, Member<A, Name>, Member<B, Name>> }[Members<A> & Members<B>]
/** Of a type the members that are wrong; its own name where they are all right and the whole is not. */
type WrongType<Path extends string, A, B> = [Within<Path, A, B>] extends [never] ? (Same<A, B> extends true ? never : Path) : Within<Path, A, B>

type WrongTypes = { [Name in keyof Types]: Types[Name] extends [infer A, infer B] ? WrongType<Name, A, B> : never }[keyof Types]
type WrongValues = { [Name in keyof Theirs & keyof Ours]: Wrong<Name, Ours[Name], Theirs[Name]> }[keyof Theirs & keyof Ours]
type Found = AbsentTypes | Exclude<keyof Theirs, keyof Ours> | WrongTypes | WrongValues

/** As members of an object, names are spelled out where a message shows them. */
declare const missingOrNarrower: { [Name in Exclude<Found, Listed>]: Name }[Exclude<Found, Listed>]
declare const noLongerToCome: { [Name in Exclude<Listed, Found>]: Name }[Exclude<Listed, Found>]
/** Compiles when there are none of these. */
export const none: never[] = [missingOrNarrower, noLongerToCome]
