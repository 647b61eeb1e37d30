// The names of all functions of a namespace, class or instance. Must not live here: which of them count.

/** Each function below this path, such as `policy.edit.add`. */
export function* functions(value, path) {
  const prototype = Object.getPrototypeOf(value)
  const inherited = prototype === Object.prototype || prototype === null ? [] : Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor')
  for (const name of new Set([...Object.keys(value), ...inherited])) {
    const member = value[name]
    if (typeof member === 'function') yield `${path}.${name}`
    else if (typeof member === 'object' && member !== null && !Array.isArray(member)) yield* functions(member, `${path}.${name}`)
  }
}
