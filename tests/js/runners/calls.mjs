// Ten million calls of each entry, or as many as CALLS says: a row of `cargo xtask test --long`. Must not live here: the calls.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HERE, project, run } from '../lib/project.mjs'

const ENTRIES = ['cidr', 'hujson', 'policy', 'client', 'gateway', 'language', 'headscale', 'sandbox']

export default async ({ tarball }) => {
  const dir = await project(tarball, { 'calls.mjs': readFileSync(join(HERE, 'long/calls.mjs'), 'utf8') })
  const outcomes = []
  for (const name of ENTRIES) {
    const program = ['--expose-gc', 'calls.mjs', name, process.env.CALLS ?? '10000000']
    const error = await run(dir, process.execPath, program, { shown: true }).then(
      () => null,
      (error) => error.message,
    )
    outcomes.push({ name, error })
  }
  return outcomes
}
