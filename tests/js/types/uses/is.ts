// The assertion that all uses of the declarations share. Must not live here: uses.

/** Compiles for a value that is assignable to `A`, but not for `any`. */
export function is<A>() {
  return <B extends A>(value: 0 extends 1 & B ? never : B): void => void value
}
