// Node, with the entry with one wasm file, and with the entries of one part each. Must not live here: what is asserted.

import { outcomes, project, run } from '../lib/project.mjs'

export default async ({ tarball, baseURL }) => outcomes(await run(await project(tarball), process.execPath, ['all.mjs', String(baseURL)]))
