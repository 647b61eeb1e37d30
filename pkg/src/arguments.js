// Arguments of offline calls as what the wasm takes. Must not live here: any judgement of their content.

/** Throws what becomes an InvalidArgumentError. */
export const invalid = (message) => { throw { code: 'invalid_argument', message } }

/** A value as JSON text; what JSON leaves out is `null`. */
export function json(value) {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (cause) {
    return invalid(`not plain data: ${cause.message}`)
  }
}
