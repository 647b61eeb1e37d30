// The declarations compiled by a project that uses every member, as ESM and as CommonJS, under strict, lib ES2022 + DOM,
// without skipLibCheck. Must not live here: the uses (`types/`), the comparison with the contract (`contract.mjs`).

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HERE, project, run, tool } from '../lib/project.mjs'

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
  const members = readFileSync(join(HERE, 'types/members.ts'), 'utf8')
  const dir = await project(tarball, { 'members.mts': members, 'members.cts': members })
  for (const resolution of RESOLUTIONS) {
    writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...OPTIONS, ...resolution }, files: ['members.mts', 'members.cts'] }))
    await run(dir, tool('tsc'), ['--project', 'tsconfig.json'])
  }
  return 'ESM and CommonJS'
}
