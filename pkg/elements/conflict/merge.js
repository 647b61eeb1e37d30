// Two changes of one text as one text. Must not live here: what a change means.

/** The lengths of the parts that two lists of lines share at their beginning and at their end. */
function shared(a, b) {
  let begin = 0
  while (begin < a.length && begin < b.length && a[begin] === b[begin]) begin++
  let end = 0
  while (end < a.length - begin && end < b.length - begin && a.at(-1 - end) === b.at(-1 - end)) end++
  return [begin, end]
}

/** The pairs of equal lines of a shortest edit, by Myers; `a` and `b` are lists of lines. */
function matches(a, b) {
  const [furthest, trace] = [new Map([[1, 0]]), []]
  for (let depth = 0; depth <= a.length + b.length; depth++) {
    trace.push(new Map(furthest))
    for (let k = -depth; k <= depth; k += 2) {
      const [up, left] = [furthest.get(k + 1) ?? -1, furthest.get(k - 1) ?? -1]
      let x = k === -depth || (k !== depth && left < up) ? up : left + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      furthest.set(k, x)
      if (x >= a.length && x - k >= b.length) return back(trace, a, b)
    }
  }
  return []
}

/** Follows the trace of `matches` back to the beginning. */
function back(trace, a, b) {
  const pairs = []
  let [x, y] = [a.length, b.length]
  for (let depth = trace.length - 1; depth >= 0; depth--) {
    const k = x - y
    const [up, left] = [trace[depth].get(k + 1) ?? -1, trace[depth].get(k - 1) ?? -1]
    const from = k === -depth || (k !== depth && left < up) ? k + 1 : k - 1
    const start = depth === 0 ? 0 : trace[depth].get(from)
    while (x > start && y > start - from && x > 0 && y > 0 && a[x - 1] === b[y - 1]) pairs.push([--x, --y])
    if (depth > 0) [x, y] = [start, start - from]
  }
  return pairs.reverse()
}

/** What became of the lines of `base`: `from` up to `to` of them are `lines` now. */
function edits(base, other) {
  const [begin, end] = shared(base, other)
  const inner = matches(base.slice(begin, base.length - end), other.slice(begin, other.length - end))
  const stops = [...inner.map(([x, y]) => [x + begin, y + begin]), [base.length - end, other.length - end]]
  const found = []
  let [x, y] = [begin, begin]
  for (const [nextX, nextY] of stops) {
    if (nextX > x || nextY > y) found.push({ from: x, to: nextX, lines: other.slice(y, nextY) })
    ;[x, y] = [nextX + 1, nextY + 1]
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
