// publint on the tarball: no message of any level. Must not live here: exceptions.

import { readFileSync } from 'node:fs'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

export default async ({ tarball }) => {
  const { buffer } = new Uint8Array(readFileSync(tarball))
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true })
  if (messages.length > 0) throw new Error(messages.map((message) => formatMessage(message, pkg, { color: false })).join('\n'))
  return 'all good'
}
