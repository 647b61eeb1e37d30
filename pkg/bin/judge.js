// From a report to the printed output and the exit code: format, level of failure, watching.
// Must not live here: what is found, how a format looks.
import { appendFile } from 'node:fs/promises'
import { contextsOf } from './context.js'
import { Failure } from './failure.js'
import { judgeable, write } from './files.js'
import { fails } from './report.js'

/** The modules of the formats, each loaded when it is needed. */
const FORMATS = {
  text: () => import('./formats/text.js'),
  json: () => import('./formats/json.js'),
  github: () => import('./formats/github.js'),
  gitlab: () => import('./formats/gitlab.js'),
  sarif: () => import('./formats/sarif.js'),
  junit: () => import('./formats/junit.js'),
  markdown: () => import('./formats/markdown.js'),
}

/**
 * Prints the report that `make` returns, in the format of the options, and resolves to the exit code. With `watch` it does so again
 * whenever one of `files()` changes, which may be a promise, until a signal comes.
 */
export async function judged(options, make, files) {
  const settings = settingsOf(options)
  const once = async () => {
    const found = await make()
    const verdict = { failed: fails(found, settings), failLevel: settings.failLevel }
    const { default: format } = await FORMATS[settings.format]()
    process.stdout.write(format(found, verdict))
    if (settings.format === 'github') await summarized(found, verdict)
    for (const { format, file } of settings.reports) await write(file, (await FORMATS[format]()).default(found, verdict))
    return verdict.failed ? 1 : 0
  }
  if (!options.watch) return once()
  const { watched } = await import('./watch.js')
  return watched(files, once)
}

/** The same for policies, folders of policies, policies beside a guard and the file of --devices, with `make(files, contextFor)`, and the files `beside(file)` each policy. */
export function judgedPolicies(options, paths, make, beside = () => []) {
  const files = async () => {
    const own = await judgeable(paths)
    return [...own, ...(await Promise.all(own.map(beside))).flat(), ...(options.devices === undefined ? [] : [options.devices])]
  }
  return judged(options, async () => make(await judgeable(paths), await contextsOf(options)), files)
}

function settingsOf({ format, json, report = [], 'fail-level': failLevel = 'error', 'max-warnings': maxWarnings }) {
  if (json && format !== undefined && format !== 'json') throw new Failure('--json and --format do not go together')
  const wanted = format ?? (json ? 'json' : process.env.GITHUB_ACTIONS === 'true' ? 'github' : 'text')
  known('--format', wanted)
  if (!['error', 'warning'].includes(failLevel)) throw new Failure(`--fail-level takes error or warning, not \`${failLevel}\``)
  if (maxWarnings !== undefined && !/^\d+$/.test(maxWarnings)) throw new Failure(`--max-warnings takes a number, not \`${maxWarnings}\``)
  return { format: wanted, reports: report.map(reportOf), failLevel, maxWarnings: maxWarnings === undefined ? Infinity : Number(maxWarnings) }
}

/** `FORMAT=FILE`. */
function reportOf(words) {
  const [, format, file] = /^([^=]*)=(.+)$/s.exec(words) ?? []
  if (file === undefined) throw new Failure(`--report takes FORMAT=FILE, not \`${words}\``)
  known('--report', format)
  return { format, file }
}

function known(option, format) {
  if (!Object.hasOwn(FORMATS, format)) throw new Failure(`${option} takes ${Object.keys(FORMATS).join(', ')}, not \`${format}\``)
}

/** Adds the whole report to the summary of the job, as GitHub shows few annotations. */
async function summarized(found, verdict) {
  const file = process.env.GITHUB_STEP_SUMMARY
  if (!file) return
  const { default: markdown } = await FORMATS.markdown()
  await appendFile(file, markdown(found, verdict)).catch((error) => {
    throw new Failure(`cannot write ${file}: ${error.message}`)
  })
}
