// Each JavaScript block of the package's README and of the repository's, run by Node as it stands. One that names its bundler in the first line
// is left to that runner. Must not live here: what the blocks show.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { project, run } from '../lib/project.mjs'

export default async ({ tarball }) => {
  const dir = await project(tarball)
  const packed = join(dir, 'node_modules/tailnet-kit/README.md')
  const texts = [packed, new URL('../../../README.md', import.meta.url)].map((file) => readFileSync(file, 'utf8'))
  const blocks = texts.flatMap((text) => [...text.matchAll(/^```js\n(.*?)^```/gms)]).map(([, code]) => code).filter((code) => !code.startsWith('// vite'))
  for (const [index, code] of blocks.entries()) {
    writeFileSync(join(dir, `block-${index + 1}.mjs`), code)
    await run(dir, process.execPath, [`block-${index + 1}.mjs`])
  }
  if (blocks.length === 0) throw new Error('there is no block to run')
  return `${blocks.length} blocks`
}
