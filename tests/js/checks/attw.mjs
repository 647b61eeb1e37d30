// "Are the types wrong?" on the tarball, in every mode of module resolution. Must not live here: exceptions, but for wasm files and
// schemas, which are not JavaScript.

import { run, HERE, tool } from '../lib/project.mjs'

export default async ({ tarball }) => {
  await run(HERE, tool('attw'), [
    tarball,
    '--no-emoji',
    '--exclude-entrypoints',
    './text.wasm',
    './json5.wasm',
    './policy.wasm',
    './dialect.wasm',
    './client.wasm',
    './tailnet_kit.wasm',
    './policy.schema.json',
    './policy.schema.draft-07.json',
  ])
  return 'no problem found'
}
