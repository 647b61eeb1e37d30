// Which of the changed places of the texts are the cause of a gain or a loss. It names a place only where the rules behind the effect mention it.
// Must not live here: how places are found (`causes.js`), words.

/** Whether a text of a rule is this name, alone or with ports. */
const isName = (text, name) => text === name || text.startsWith(`${name}:`)

/** All that these rules mention, and what is mentioned by the definitions of it. */
function mentioned(rules, definitions) {
  const found = new Set()
  const visit = (texts) => {
    for (const text of texts) {
      if (found.has(text)) continue
      found.add(text)
      const name = Object.hasOwn(definitions, text) ? text : Object.keys(definitions).find((each) => isName(text, each))
      if (name !== undefined) visit([name, ...definitions[name]])
    }
  }
  visit(rules)
  return [...found]
}

const within = (pointer, of) => pointer === of || pointer.startsWith(`${of}/`)

/**
 * The causes of an effect: `pointers` are the rules, or the entry of an owner, that give it in the text `side`; `parties` are those whom it concerns.
 * Empty if no change can be named.
 */
export function causesOf({ causes, mentions, isTextAlone }, side, pointers, parties) {
  if (isTextAlone && causes.length <= 1) return causes
  // What no rule opens is open because a list of rules is gone: without any, everything is.
  if (pointers.length === 0) return causes.filter(({ kind, section }) => kind === 'removed' && ['acls', 'grants'].includes(section))
  const { definitions, rules } = mentions[side]
  const own = causes.filter(({ pointer }) => pointers.some((rule) => within(pointer, rule) || within(rule, pointer)))
  const texts = mentioned(
    pointers.flatMap((pointer) => rules[pointer] ?? []),
    definitions,
  )
  const defined = causes.filter(({ names }) => names.some((name) => texts.some((text) => isName(text, name))))
  const personal = defined.filter(({ apart }) => apart.some((text) => parties.includes(text)))
  return [...new Set([...own, ...(personal.length > 0 ? personal : own.length > 0 ? [] : defined)])]
}
