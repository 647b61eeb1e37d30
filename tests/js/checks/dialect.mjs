// The dialect of Headscale in apps that Vite built: there for who imports it, and asked for by name where it is missing. Must not live here: what
// the dialect says, runtimes (`cases/policy/headscale.mjs`).

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readFileSync, writeFileSync } from 'node:fs'
import { equal } from '../cases/assert.mjs'
import { BUNDLERS } from '../lib/bundlers.mjs'
import { project } from '../lib/project.mjs'

const WORDS = "the dialect `headscale` is not loaded: `import 'tailnet-kit/headscale'` brings it, with `tailnet-kit/slim` `init({ dialect })`"
const CONTEXT = "{ dialect: 'headscale' }"
/** A text that the service refuses. */
const TEXT = `'{"acls": [{"src": ["ann@example.com"], "dst": ["bob@:0-22"]}]}'`
const OF_POLICY = "import { policy } from 'tailnet-kit/policy'\n"
const OF_LANGUAGE = "import { language } from 'tailnet-kit/language'\n"
const BRINGING = "import 'tailnet-kit/headscale'\n"
const CHECKED = `policy.check(${TEXT}, ${CONTEXT}).message`
const DIAGNOSED = `language.diagnostics(${TEXT}, ${CONTEXT}).length`

/** An app that starts slim with these files; its imports are those of a module, wherever they stand. */
const ofSlim = (...files) =>
  `import { initSync, policy } from 'tailnet-kit/slim'
initSync(Object.fromEntries(${JSON.stringify(files)}.map((name) => [name, globalThis.files(name)])))
export const tell = () => [${CHECKED}]
`

/** Apps that export what they tell; some by other verbs of the same file, before or after. */
const APPS = {
  bare: [`${OF_POLICY}export const tell = () => [policy.check('{}').accepted, ${CHECKED}]`, { error: WORDS }],
  brought: [`${BRINGING}${OF_POLICY}export const tell = () => [policy.check('{}').accepted, ${CHECKED}]`, [true, null]],
  whole: [`import { policy } from 'tailnet-kit'\nexport const tell = () => [${CHECKED}]`, [null]],
  larger: [`${BRINGING}${OF_POLICY}export const tell = () => [policy.open('{}', ${CONTEXT}).access().cells.length > 0, ${CHECKED}]`, [true, null]],
  spelt: [`${OF_LANGUAGE}export const tell = () => [${DIAGNOSED}]`, { error: WORDS }],
  slimAfter: [`${BRINGING}${ofSlim('policy')}`, [null]],
  slimBefore: [`${ofSlim('policy')}${BRINGING}`, [null]],
  slimAlone: [ofSlim('policy'), { error: WORDS }],
  slimGiven: [ofSlim('policy', 'dialect'), [null]],
  edited: [`${BRINGING}${OF_LANGUAGE}export const tell = () => [${DIAGNOSED}]`, [0]],
}

export default async ({ tarball }) => {
  const dir = await project(tarball, Object.fromEntries(Object.entries(APPS).map(([name, [code]]) => [`${name}.mjs`, `${code}\nglobalThis.told = tell\n`])))
  globalThis.files = (name) => readFileSync(join(dir, `node_modules/tailnet-kit/wasm/${name}_bg.wasm`))
  const outcomes = []
  for (const [name, [, wanted]] of Object.entries(APPS)) outcomes.push({ name: `an app: ${name}`, error: await faultOf(dir, name, wanted) })
  return outcomes
}

/** Why the app does not tell this; null if it does. */
async function faultOf(dir, name, wanted) {
  try {
    const { now } = await BUNDLERS.Vite(dir, `${name}.mjs`)
    const file = join(dir, `${name}.bundled.mjs`)
    writeFileSync(file, now.join('\n'))
    await import(pathToFileURL(file))
    equal(told(globalThis.told), wanted)
    return null
  } catch (error) {
    return String(error?.message ?? error)
  }
}

function told(tell) {
  try {
    return tell()
  } catch ({ code, message }) {
    return code === 'invalid_argument' ? { error: message } : { code, message }
  }
}
