// Two changes of one text as one text. Must not live here: what a change means, how two lists of lines differ (`diff`).

import { diffArrays } from '../vendor/diff.js'

/** What became of the lines of `base`: `from` up to `to` of them are `lines` now. */
function edits(base, other) {
  const found = []
  let [at, edit] = [0, undefined]
  for (const { added, removed, value } of diffArrays(base, other)) {
    if (added || removed) {
      if (!edit) found.push((edit = { from: at, to: at, lines: [] }))
      if (added) edit.lines = value
    } else edit = undefined
    if (!added) at += value.length
    if (removed) edit.to = at
  }
  return found
}

/** Both changes of `base` in one text; undefined where they touch the same lines, or lines beside each other, and differ. */
export function merge(base, mine, theirs) {
  const lines = base.split('\n')
  const all = [mine, theirs].flatMap((text) => edits(lines, text.split('\n'))).sort((a, b) => a.from - b.from || a.to - b.to)
  const [merged, equal] = [[], (a, b) => a.from === b.from && a.to === b.to && a.lines.join('\n') === b.lines.join('\n')]
  let at = 0
  for (const [index, edit] of all.entries()) {
    const before = all[index - 1]
    if (before && equal(before, edit)) continue
    if (before && edit.from <= before.to) return undefined
    merged.push(...lines.slice(at, edit.from), ...edit.lines)
    at = edit.to
  }
  return [...merged, ...lines.slice(at)].join('\n')
}
