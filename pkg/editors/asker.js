// What an editor asks the language service, at once or later, here or in a worker. Must not live here: any editor, any answer.

import { invalid } from '../common/arguments.js'

const FEATURES = ['highlight', 'completion', 'hover', 'lint', 'rename', 'folding', 'inlay']
const WITH_CONTEXT = ['diagnostics', 'complete', 'hover', 'inlay', 'actions']

/** Throws an InvalidArgumentError for an option that there is not. */
export function checkOptions(options, ...more) {
  const stranger = Object.keys(options).find((name) => !['context', 'service', 'onDiagnostics', ...FEATURES, ...more].includes(name))
  if (stranger !== undefined) invalid(`there is no option \`${stranger}\``)
}

/**
 * `ask(verb, text, ...)`: the answer of the service, later. Without a service of its own the engine is loaded by the first question, so
 * that nobody loads it twice who runs it in a worker.
 */
export function asker({ service, context }) {
  let loading
  // Not awaited itself: one in a worker may answer to `then`, too.
  const serving = () => (loading ??= import('tailnet-kit/language'))
  return async (verb, ...asked) => {
    const within = WITH_CONTEXT.includes(verb) ? [await (typeof context === 'function' ? context() : context)] : []
    return service ? service[verb](...asked, ...within) : (await serving()).language[verb](...asked, ...within)
  }
}

/** The one edit that makes the text canonical, without what stays at both ends; `null` where it is already, or cannot be read. */
export async function formatting(text) {
  const { hujson } = await import('tailnet-kit/hujson')
  const formatted = orNull(() => hujson.format(text))
  return formatted === null || formatted === text ? null : difference(text, formatted)
}

function orNull(run) {
  try {
    return run()
  } catch (error) {
    if (error?.code === 'hujson_syntax') return null
    throw error
  }
}

function difference(before, after) {
  const most = Math.min(before.length, after.length)
  let [start, end] = [0, 0]
  while (start < most && before[start] === after[start]) start++
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) }
}
