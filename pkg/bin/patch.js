// The difference of two texts as a patch. Must not live here: what is compared.
import { FILE_HEADERS_ONLY, createTwoFilesPatch } from './vendor/diff.js'

/** A unified diff, as `diff -u` writes one. */
export const patch = (oldName, before, newName, after) =>
  createTwoFilesPatch(oldName, newName, before, after, '', '', { context: 3, headerOptions: FILE_HEADERS_ONLY })
