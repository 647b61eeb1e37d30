// The difference of two texts as a patch. Must not live here: what is compared.
import { oneLine } from './one-line.js'
import { FILE_HEADERS_ONLY, createTwoFilesPatch } from './vendor/diff.js'

/** A unified diff, as `diff -u` writes one. */
export const patch = (oldName, before, newName, after) =>
  createTwoFilesPatch(oldName, newName, before, after, '', '', { context: 3, headerOptions: FILE_HEADERS_ONLY })

/** A patch as a block of Markdown, in a fence that no run of backticks in it ends. */
export function block(patch) {
  const runs = patch.match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(2, ...runs.map((run) => run.length)) + 1)
  return [`${fence}diff`, ...patch.split('\n').map(oneLine), fence].join('\n')
}
