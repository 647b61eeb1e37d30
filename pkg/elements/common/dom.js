// Makes elements of a page. Must not live here: anything that knows what is shown.

/** An element by `tag` or `tag.class`, with children; plain objects among them are properties, absent ones left out. */
export function h(name, ...content) {
  const [tag, className = ''] = name.split('.')
  const made = document.createElement(tag)
  if (className) made.className = className
  for (const item of content.flat(3)) {
    if (typeof item === 'object' && item !== null && !('nodeType' in item)) Object.assign(made, item)
    else if (item || item === 0) made.append(item)
  }
  return made
}

/** Words with code between backticks. */
export const prose = (words) => words.split('`').map((part, index) => (index % 2 ? h('code', part) : part))

/** How many names a sentence has before it counts the rest. */
const NAMED = 8

/** Names as a list of a sentence. */
export const joined = (names, most = NAMED) =>
  names.length > most + 1 ? `${names.slice(0, most).join(', ')} and ${names.length - most} more` : names.join(', ')

/** Offers a text or a blob as a file to save. */
export function download(name, type, content) {
  const href = URL.createObjectURL(new Blob([content], { type }))
  h('a', { href, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
