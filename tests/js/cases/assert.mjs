// The assertions of the cases, for every runtime. Must not live here: anything from Node.

/** Both are the same plain data, with members in any order. */
export function equal(actual, expected) {
  const [got, wanted] = [actual, expected].map((value) => JSON.stringify(value, sorted) ?? String(value))
  if (got !== wanted) throw new Error(`got ${got}, expected ${wanted}`)
}

export function ok(condition, what) {
  if (!condition) throw new Error(`not so: ${what}`)
}

/** The error that `body` throws or rejects with; its code, and each further field that is given, must be as expected. */
export async function fails(body, expected) {
  let error
  try {
    await body()
  } catch (thrown) {
    error = thrown
  }
  if (error === undefined) throw new Error(`nothing was thrown, expected ${JSON.stringify(expected)}`)
  if (!(error instanceof Error)) throw new Error(`no Error was thrown: ${JSON.stringify(error)}`)
  for (const [field, value] of Object.entries(expected)) {
    const got = error[field]
    const fits = value instanceof RegExp ? value.test(String(got)) : JSON.stringify(got) === JSON.stringify(value)
    if (!fits) throw new Error(`${field} of the error is ${JSON.stringify(got) ?? got}, expected ${value}`)
  }
  return error
}

const sorted = (_key, value) =>
  value && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((name) => [name, value[name]]),
      )
    : value
