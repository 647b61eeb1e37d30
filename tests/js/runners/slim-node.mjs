// tailnet-kit/slim in Node. Must not live here: what is asserted.

import { outcomes, project, run } from '../lib/project.mjs'

export default async ({ tarball, baseURL }) => {
  const dir = await project(tarball)
  return outcomes(await run(dir, process.execPath, ['slim.mjs', String(baseURL)]))
}
