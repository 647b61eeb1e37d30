// The declarations compiled by a project that uses every member, as ESM and as CommonJS, under strict, lib ES2022 + DOM,
// without skipLibCheck; and with them the JavaScript blocks of the README and its pages. Must not live here: the uses (`types/uses/`), the comparison with a contract (`beside/contract.mjs`).

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HERE, project, run, tool } from '../lib/project.mjs'
import { shown } from './readme.mjs'

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
  const uses = { ...compiledAs('mts'), ...compiledAs('cts'), ...Object.fromEntries(shown().map((code, index) => [`shown-${index + 1}.mjs`, code])) }
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
