// A small language service, for a package that has none yet: enough of each verb for the policy in `policy.mjs`. Must not live here: the
// service itself.

const TAG = /tag:[a-z]+/g
const NAMED = /(?:group|tag):[a-z]+/g
const inside = (pattern, text, offset) => [...text.matchAll(pattern)].map(({ index, 0: name }) => ({ from: index, to: index + name.length, name })).find(({ from, to }) => from <= offset && offset <= to)
const places = (text, name) => [...text.matchAll(new RegExp(`${name}(?![a-z])`, 'g'))].map(({ index }, at) => ({ from: index, to: index + name.length, definition: at === 0, pointer: '' }))
const declared = (text) => text.match(/"tagOwners": \{([^}]*)/)?.[1] ?? ''

function brackets(text) {
  const [open, found] = [[], []]
  for (const { index, 0: bracket } of text.replace(/\/\/.*/g, (comment) => ' '.repeat(comment.length)).matchAll(/[[{}\]]/g)) {
    if (/[[{]/.test(bracket)) open.push(index)
    else found.push({ from: open.pop() + 1, to: index, kind: 'list' })
  }
  return found.sort((one, other) => one.from - other.from)
}

export const language = {
  diagnostics: (text) => [...text.matchAll(TAG)].filter(({ 0: name }) => !declared(text).includes(name)).map(({ index, 0: name }) => ({
    code: 'unknown_tag', severity: 'error', message: `tag not found: "${name}"`, hint: 'declare it', from: index, to: index + name.length, offset: index, length: name.length, line: 1, column: 1, pointer: '',
    fixes: language.actions(text, { from: index, to: index + name.length }),
  })),
  complete(text, offset) {
    const from = text.slice(0, offset).search(/[\w:@.]*$/)
    return { from, to: offset + text.slice(offset).search(/[^\w:@.]|$/), items: ['group:dev', 'tag:db', 'ann@example.com'].map((label) => ({ label, kind: label.includes('@') ? 'user' : label.split(':')[0], insert: label, documentation: `**${label}**` })) }
  },
  hover(text, offset) {
    const name = inside(NAMED, text, offset)
    return name ? { from: name.from, to: name.to, markdown: `**${name.name}**\n\n- \`ann@example.com\`` } : null
  },
  definition: (text, offset) => language.references(text, offset)[0] ?? null,
  references: (text, offset) => places(text, inside(NAMED, text, offset)?.name ?? '\0'),
  renameable(text, offset) {
    const found = inside(NAMED, text, offset)
    return found ? { ...found, kind: found.name.split(':')[0] } : null
  },
  rename(text, offset, name) {
    if (!/^(group|tag):[a-z]+$/.test(name)) throw Object.assign(new Error(`\`${name}\` is no tag`), { code: 'invalid_argument' })
    return language.references(text, offset).map(({ from, to }) => ({ from, to, insert: name }))
  },
  symbols: (text) => [...text.matchAll(/^ {2}("(\w+)"): .*/gm)].map(({ index, 0: line, 1: key, 2: name }) => ({
    name, kind: 'section', range: { from: index + 2, to: index + line.length }, selection: { from: index + 2, to: index + 2 + key.length }, children: [],
  })),
  folding: (text) => brackets(text).filter(({ from, to }) => text.slice(from, to).includes('\n')),
  selection: (text, offset) => [...(inside(NAMED, text, offset) ? [inside(NAMED, text, offset)] : []), ...brackets(text).filter(({ from, to }) => from <= offset && offset <= to).reverse(), { from: 0, to: text.length }],
  tokens: (text, range) => [...text.matchAll(/\/\/.*|"(?:group|tag):[a-z]+|"[^"\n]*"?|[[\]{},:]/g)]
    .map(({ index, 0: word }) => ({ from: index + Number(/^"\w+:/.test(word)), to: index + word.length, type: word.match(/^"(group|tag):/)?.[1] ?? (word[0] === '/' ? 'comment' : word[0] === '"' ? 'string' : 'punctuation') }))
    .filter(({ from, to }) => !range || (from < range.to && to > range.from)),
  inlay: (text) => [...text.matchAll(/"tag:db:22"/g)].map(({ index, 0: word }) => ({ at: index + word.length, text: '1 device', kind: 'resolves', tooltip: 'store' })),
  actions(text, { from, to }) {
    const found = [...text.matchAll(TAG)].find(({ index, 0: name }) => index <= to && from <= index + name.length && !declared(text).includes(name))
    const at = text.indexOf('"tagOwners": {') + 14
    return found ? [{ title: `Declare ${found[0]}`, kind: 'fix', fixes: 'unknown_tag', preferred: true, edits: [{ from: at, to: at, insert: `"${found[0]}": [], ` }] }] : []
  },
}
