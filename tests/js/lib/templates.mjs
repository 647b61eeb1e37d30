// Projects as `npm create vite@latest`, `create-next-app` and `sv create` make them, with all of their defaults, to which the files of a guide are
// brought. Their packages are those of `docs`. Must not live here: what a built page shows.

import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HERE, run } from './project.mjs'

const MODULES = join(HERE, '../../docs/node_modules')

/** What each program that makes projects is asked by somebody who takes its defaults, in TypeScript. */
const PROGRAMS = {
  next: (name) => ['create-next-app', name, '--yes', '--skip-install', '--disable-git'],
  sveltekit: (name) => ['sv', 'create', name, '--template', 'minimal', '--types', 'ts', '--no-add-ons', '--no-install'],
}
const vite = (name, template) => ['create-vite', name, '--template', template, '--no-interactive']

/**
 * The project `dir/name` of a template, `next`, `sveltekit`, or one of Vite such as `react-ts`, with these files: where each comes from, by its path in
 * the project. The package lies in it, as Vite serves nothing from outside to who develops; all others are found above it.
 */
export async function project(dir, name, template, files) {
  const [program, ...asked] = (PROGRAMS[template] ?? vite)(name, template)
  await run(dir, join(MODULES, '.bin', program), asked)
  const app = join(dir, name)
  for (const [path, from] of Object.entries(files)) cpSync(from, join(app, path), { recursive: true })
  cpSync(join(dir, 'node_modules/tailnet-kit'), join(app, 'node_modules/tailnet-kit'), { recursive: true })
  compiler(app)
  return app
}

/** Where a template asks for the seventh TypeScript, its command is that; `docs` has the sixth, too, for what builds on its insides. */
function compiler(app) {
  const { devDependencies } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))
  if (!devDependencies.typescript?.startsWith('~7')) return
  mkdirSync(join(app, 'node_modules/.bin'), { recursive: true })
  symlinkSync(join(MODULES, 'typescript-7/bin/tsc'), join(app, 'node_modules/.bin/tsc'))
}

/** Builds it by its own script, which checks the types where it is in TypeScript, and by its script `check` where that does. */
export async function built(app, env = {}) {
  const { scripts } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))
  for (const script of ['check', 'build'].filter((name) => scripts[name])) await run(app, 'npm', ['run', '--silent', script], { env })
}

/** The environment in which Next's template builds without the network: it asks for two fonts, and is given the answers that Next has for its own tests. */
export function withoutFonts(dir) {
  const file = join(dir, 'fonts.cjs')
  const face = (family) => `@font-face { font-family: '${family}'; src: local('${family}'); }`
  const answer = (family) => [`https://fonts.googleapis.com/css2?family=${family.replaceAll(' ', '+')}:wght@100..900&display=swap`, face(family)]
  writeFileSync(file, `module.exports = ${JSON.stringify(Object.fromEntries(['Geist', 'Geist Mono'].map(answer)))}`)
  return { NEXT_FONT_GOOGLE_MOCKED_RESPONSES: file }
}
