// How editors ask the language service, on this thread or in a worker. Must not live here: any editor, any answer.

import { invalid } from '../common/arguments.js'

const FEATURES = ['highlight', 'completion', 'hover', 'lint', 'rename', 'folding', 'inlay']
const WITH_CONTEXT = ['diagnostics', 'complete', 'hover', 'inlay', 'actions']

/** Throws an InvalidArgumentError for an unknown option. */
export function checkOptions(options, ...more) {
  const stranger = Object.keys(options).find((name) => !['context', 'dialect', 'service', 'format', 'onDiagnostics', ...FEATURES, ...more].includes(name))
  if (stranger !== undefined) invalid(`there is no option \`${stranger}\``)
}

/**
 * `ask(verb, text, ...)` resolves with the service's answer, in the dialect that is named, else that of the context. Where no service is given, the first question loads the engine; so a page
 * that runs the service in a worker does not load it a second time.
 */
export function asker({ service, context, dialect }) {
  let loading
  // The service itself is never awaited: the proxy of one in a worker may have a `then` too.
  const serving = () => (loading ??= import('tailnet-kit/language'))
  return async (verb, ...asked) => {
    const known = await (typeof context === 'function' ? context() : context)
    const own = dialect ?? known?.dialect
    const within = [...(WITH_CONTEXT.includes(verb) ? [known] : []), ...(own === undefined ? [] : [{ dialect: own }])]
    return service ? service[verb](...asked, ...within) : (await serving()).language[verb](...asked, ...within)
  }
}

/** The smallest edits that make the text canonical, so that cursors stay; none for a text that already is, or that cannot be read. */
export async function formatting(text, format = canonical) {
  try {
    return differences(text, await format(text))
  } catch (error) {
    if (error?.code === 'hujson_syntax') return []
    throw error
  }
}

const canonical = async (text) => (await import('tailnet-kit/hujson')).hujson.format(text)

/** One edit for each run of blanks and commas that differs, which never divides a CRLF; one for the whole text where anything else differs. */
function differences(before, after) {
  const edits = []
  let [at, to] = [0, 0]
  for (;;) {
    const [gone, insert] = [layoutAt(before, at), layoutAt(after, to)]
    if (gone !== insert) edits.push({ from: at, to: at + gone.length, insert })
    at += gone.length
    to += insert.length
    if (at === before.length && to === after.length) return edits
    if (before[at++] !== after[to++]) return [{ from: 0, to: before.length, insert: after }]
  }
}

const LAYOUT = /[\s,]*/y

function layoutAt(text, at) {
  LAYOUT.lastIndex = at
  return LAYOUT.exec(text)[0]
}
