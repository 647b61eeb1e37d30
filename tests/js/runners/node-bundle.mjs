// Node, the program as one file with nothing beside it, as a server's bundler makes it. Must not live here: what is asserted.

import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from '../lib/bundle.mjs'
import { folder, outcomes, project, run } from '../lib/project.mjs'

export default async ({ tarball, baseURL }) => {
  const dir = await project(tarball)
  await bundle(dir, 'main.mjs', 'bundle/main.mjs', { platform: 'node' })
  const alone = folder()
  cpSync(join(dir, 'bundle'), alone, { recursive: true })
  return outcomes(await run(alone, process.execPath, ['main.mjs', 'node', String(baseURL)]))
}
