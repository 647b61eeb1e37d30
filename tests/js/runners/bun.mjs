// Bun. Must not live here: what is asserted.

import { outcomes, project, run, tool } from '../lib/project.mjs'

export default async ({ tarball, baseURL }) => {
  const dir = await project(tarball)
  return outcomes(await run(dir, tool('bun'), ['main.mjs', 'bun', String(baseURL)]))
}
