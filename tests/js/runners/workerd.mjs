// workerd, bundled as its own tool does it: the wasm stays a separate module. Must not live here: what is asserted.

import { bundle } from '../lib/bundle.mjs'
import { project } from '../lib/project.mjs'
import { askWorker } from '../lib/workerd.mjs'

export default async ({ tarball, baseURL }) => {
  const dir = await project(tarball)
  await bundle(dir, 'worker.mjs', 'out/worker.js', {
    conditions: ['workerd', 'worker'],
    loader: { '.wasm': 'copy' },
    define: { BASE_URL: JSON.stringify(baseURL) },
  })
  return JSON.parse(await askWorker(`${dir}/out`))
}
