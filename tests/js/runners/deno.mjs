// Deno, with no permission but the network. Must not live here: what is asserted.

import { outcomes, project, run, tool } from '../lib/project.mjs'

export default async ({ tarball, baseURL }) => {
  const dir = await project(tarball)
  const flags = ['run', '--quiet', '--no-prompt', '--node-modules-dir=manual', '--allow-net=127.0.0.1']
  return outcomes(await run(dir, tool('deno'), [...flags, 'main.mjs', 'deno', String(baseURL)]))
}
