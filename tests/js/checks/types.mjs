// The declarations compiled by a project that uses every member, as ESM and as CommonJS, under strict, lib ES2022 + DOM,
// without skipLibCheck; and with them the JavaScript blocks of both READMEs. Must not live here: the uses (`types/uses/`), the comparison with a contract (`beside/contract.mjs`).

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HERE, project, run, tool } from '../lib/project.mjs'
import { blocksOf } from './readme.mjs'

export const OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: 'es2022',
  lib: ['es2022', 'dom'],
  types: [],
  skipLibCheck: false,
  noEmit: true,
}
const RESOLUTIONS = [{ module: 'node16' }, { module: 'nodenext' }, { module: 'esnext', moduleResolution: 'bundler' }]

export default async ({ tarball }) => {
  const uses = { ...compiledAs('mts'), ...compiledAs('cts'), ...shown() }
  const dir = await project(tarball, uses)
  for (const resolution of RESOLUTIONS) {
    writeFileSync(
      join(dir, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...OPTIONS, allowJs: true, checkJs: true, ...resolution }, files: Object.keys(uses) }),
    )
    await run(dir, tool('tsc'), ['--project', 'tsconfig.json'])
  }
  return 'ESM and CommonJS'
}

/** The uses as modules with this extension, which name each other by the one that it is compiled to. */
function compiledAs(extension) {
  const text = (file) => readFileSync(join(HERE, 'types/uses', file), 'utf8').replaceAll(".mjs'", `.${extension.replace('ts', 'js')}'`)
  return Object.fromEntries(readdirSync(join(HERE, 'types/uses')).map((file) => [file.replace(/ts$/, extension), text(file)]))
}

/** The blocks of the READMEs, each as a module. */
const shown = () =>
  Object.fromEntries(
    ['README.md', 'pkg/README.md']
      .flatMap((file) => blocksOf(readFileSync(join(HERE, '../..', file), 'utf8')))
      .map((code, index) => [`shown-${index + 1}.mjs`, code]),
  )
