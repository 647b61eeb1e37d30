// HuJSON texts of a wanted size, each with its twin: the same text with comments and trailing commas blanked, which is what
// JSON.parse is given. The twin is written along with the text, so that it does not depend on the code that is measured.
// Must not live here: policies (`policies.mjs`), measuring.

import { random } from './random.mjs'

const LATIN = 'alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa'.split(' ')
const OTHER = 'сервер группа 接続 規則 χρήστης δίκτυο 네트워크 शीर्षक 🚀 ўсход'.split(' ')

/** Collects a text and its twin. */
function writer() {
  const text = []
  const twin = []
  const both = (piece) => {
    text.push(piece)
    twin.push(piece)
  }
  const extra = (piece) => {
    text.push(piece)
    twin.push(piece.replace(/[^\n\t\r]/g, ' '))
  }
  return { both, extra, done: () => ({ text: text.join(''), twin: twin.join('') }) }
}

/** One record over several lines, of about 300 characters with comments and 200 without. */
function record(out, dice, words, comments) {
  const phrase = (count) => Array.from({ length: count }, () => dice.pick(words)).join(' ')
  const line = (indent, key, value, last) => {
    if (comments && dice.chance(0.25)) out.extra(`${' '.repeat(indent)}// ${phrase(6)}\n`)
    out.both(`${' '.repeat(indent)}"${key}": ${value}`)
    if (last && comments) out.extra(',')
    if (!last) out.both(',')
    if (comments && dice.chance(0.25)) out.extra(` /* ${phrase(3)} */`)
    out.both('\n')
  }
  if (comments) out.extra(`  // ---- ${phrase(8)}\n`)
  out.both('  {\n')
  line(4, 'name', JSON.stringify(phrase(2)))
  line(4, 'note', JSON.stringify(`${phrase(4)} "${dice.pick(words)}" \\ ${phrase(2)}`))
  line(4, 'port', String(dice.below(65536)))
  line(4, 'load', (dice.next() * 100).toFixed(3))
  line(4, 'up', dice.chance(0.5) ? 'true' : 'null')
  line(4, 'routes', JSON.stringify(Array.from({ length: 3 }, () => `10.${dice.below(256)}.${dice.below(256)}.0/24`)), true)
  out.both('  }')
}

/** An array of records of about `size` UTF-16 units. */
export function text(size, { comments = true, latin = true, seed = 7 } = {}) {
  const dice = random(seed)
  const words = latin ? LATIN : OTHER
  const out = writer()
  const one = writer()
  record(one, random(seed), words, comments)
  const count = Math.max(1, Math.round(size / (one.done().text.length + 2)))
  out.both('[\n')
  for (let index = 0; index < count; index++) {
    record(out, dice, words, comments)
    if (index + 1 < count) out.both(',\n')
  }
  if (comments) out.extra(', // end')
  out.both('\n]\n')
  return out.done()
}

export const utf8Length = (value) => new TextEncoder().encode(value).length
