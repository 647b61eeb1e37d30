// Node, `import`. Must not live here: what is asserted.

import { outcomes, project, run } from '../lib/project.mjs'

export default async ({ tarball, baseURL, tables = [] }) => {
  const dir = await project(tarball)
  return outcomes(await run(dir, process.execPath, ['main.mjs', 'node', String(baseURL), ...tables]))
}
