// Which name may be meant by one that there is not. Must not live here: the names.

/** `: did you mean X?` with the nearest of the names, one that begins alike first; `; see --help` where none is near. */
export function meant(asked, names, shown = (name) => name) {
  const alike = asked.length > 1 ? names.find((name) => name.startsWith(asked) || asked.startsWith(name)) : undefined
  const near = names.map((name) => ({ name, by: edits(asked, name) })).sort((a, b) => a.by - b.by)[0]
  const found = alike ?? (asked.length > 1 && near?.by <= Math.max(1, asked.length / 3) ? near.name : undefined)
  return found === undefined ? '; see --help' : `: did you mean \`${shown(found)}\`?`
}

/** How many letters to put in, take out, replace, or exchange with their neighbour make one word of the other (optimal string alignment). */
function edits(from, to) {
  let [before, last] = [[], Array.from({ length: to.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1), isSwapped ? before[j - 2] + 1 : Infinity)
    }
    ;[before, last] = [last, row]
  }
  return last[to.length]
}
