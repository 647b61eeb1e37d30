// The line of a finding with its place underlined. Must not live here: colours, which line.
import { UNSEEN } from './one-line.js'

/** How many characters of a line are shown at most, and how many of them before the place. */
const WIDTH = 110
const BEFORE = 40

/** `[line, underline]` for a range of columns in a line, without its end; control characters become blanks, and a long line is cut. */
export function frame(source, from, to) {
  const end = Math.max(from + 1, Math.min(to, source.length + 1))
  const first = source.length > WIDTH ? Math.max(0, from - 1 - BEFORE) : 0
  const last = Math.min(source.length, first + WIDTH)
  const shown = (start, stop) => plain(source.slice(Math.max(first, start), Math.min(last, stop)))
  const [left, right] = [first > 0 ? '…' : '', last < source.length ? '…' : '']
  const before = left + shown(0, from - 1)
  const marked = shown(from - 1, end - 1)
  return [`${before}${marked}${shown(end - 1, source.length)}${right}`, `${' '.repeat(width(before))}${'^'.repeat(Math.max(1, width(marked)))}`]
}

/** The text with tabs as two blanks, and any other character that cannot be seen as one. */
const plain = (text) => text.replaceAll('\t', '  ').replace(UNSEEN, ' ')

/** What fills two cells: emoji, and the wide and fullwidth letters of East Asia, without the halfwidth forms (Unicode Standard Annex #11, nearly). */
const WIDE =
  /^(?![\uff61-\uffdc])(?:\p{Emoji_Presentation}|.\ufe0f|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6])/u

const letters = new Intl.Segmenter()

/** How many cells of a terminal a text fills: a letter with its marks is one or two. */
const width = (text) => [...letters.segment(text)].reduce((cells, { segment }) => cells + (WIDE.test(segment) ? 2 : 1), 0)
