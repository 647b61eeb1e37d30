// The declarations compiled by a project that uses every member, as ESM and as CommonJS, under strict, lib ES2022 + DOM,
// without skipLibCheck; and compared with contract.d.ts where the folder `shared` lies beside the repository. Must not
// live here: the uses (`types/`).

import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HERE, project, run, tool } from '../lib/project.mjs'

const CONTRACT = join(HERE, '../../../shared/contract.d.ts')
const OPTIONS = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, target: 'es2022', lib: ['es2022', 'dom'], types: [], skipLibCheck: false, noEmit: true }
const RESOLUTIONS = [{ module: 'node16' }, { module: 'nodenext' }, { module: 'esnext', moduleResolution: 'bundler' }]

export default async ({ tarball }) => {
  const members = readFileSync(join(HERE, 'types/members.ts'), 'utf8')
  const dir = await project(tarball, { 'members.mts': members, 'members.cts': members })
  const files = ['members.mts', 'members.cts']
  const compared = existsSync(CONTRACT)
  if (compared) {
    cpSync(CONTRACT, join(dir, 'contract.d.mts'))
    cpSync(join(HERE, 'types/contract.ts'), join(dir, 'contract-check.mts'))
    files.push('contract-check.mts')
  }
  for (const resolution of RESOLUTIONS) {
    writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...OPTIONS, ...resolution }, files }))
    await run(dir, tool('tsc'), ['--project', 'tsconfig.json'])
  }
  return compared ? 'ESM and CommonJS; equal to contract.d.ts' : 'ESM and CommonJS; contract.d.ts is not beside the repository, so it was not compared'
}
