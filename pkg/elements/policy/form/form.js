// The form: the same document as the text, in rows. Each field is a list with an entry on each line. Must not live here: which edits there are
// (`model.js`), the text.

import { h } from '../../common/dom.js'
import { CONTENT, ENTRY, FIELDS, TITLES } from './words.js'

/** How many rows of a section are shown before the rest is asked for. */
const ROWS = 60
const ADDED = { acls: ['src', 'dst'], grants: ['src', 'dst', 'ip'], ssh: ['src', 'dst', 'users'] }

const entriesOf = ({ value }) =>
  value
    .split('\n')
    .map((entry) => entry.trim())
    .filter(Boolean)

/** A list as a field, an entry on each line. `at` names it across edits. */
function listField(label, entries, at, onchange) {
  const area = h('textarea', { ariaLabel: label, rows: Math.max(1, entries.length), value: entries.join('\n'), spellcheck: false, onchange })
  area.dataset.at = at
  return area
}

function lineField(label, value, at, onchange) {
  const input = h('input', { ariaLabel: label, value, spellcheck: false, onchange })
  input.dataset.at = at
  return input
}

function button(words, label, at, onclick, more) {
  const made = h('button', { ariaLabel: label, title: label, onclick, ...more }, words)
  made.dataset.at = at
  return made
}

const named = (label, field) => h('label.field', h('span', label), field)

export class Form {
  #drawn = new Map()
  #shown = new Map()
  #fault = h('p.fault', { role: 'alert', hidden: true })

  /** `edit(...)` makes an edit of `model.js`; `reveal(pointer)` shows a place in the text. */
  constructor({ edit, reveal }) {
    Object.assign(this, { edit, reveal })
    this.root = h('div.form', { part: 'form' }, this.#fault)
  }

  /** Says why an edit cannot be made. */
  fail(words) {
    this.#fault.textContent = words
    this.#fault.hidden = words === ''
  }

  /** Shows these rows. Only sections that differ are drawn anew, and the focus stays at its field. */
  draw({ rules, names, disabled }) {
    const at = this.root.getRootNode().activeElement?.dataset.at
    for (const section of rules) this.#section(section, (row, count) => this.#rule(section.name, row, count), disabled)
    for (const section of names) this.#section(section, (row) => this.#name(section.name, row), disabled)
    if (at) this.root.querySelector(`[data-at="${CSS.escape(at)}"]`)?.focus()
  }

  #section({ name, rows }, rowOf, disabled) {
    const off = disabled.filter(({ section }) => section === name)
    const key = JSON.stringify([rows, off])
    const before = this.#drawn.get(name)
    if (before?.key === key) return
    const most = this.#shown.get(name) ?? ROWS
    const list = h('ol', ...rows.slice(0, most).map((row) => rowOf(row, rows.length)), ...off.map((entry) => this.#disabled(entry)))
    const more = rows.length > most && h('button', { onclick: () => this.#more(name, { name, rows }, rowOf, disabled) }, `Show all ${rows.length}`)
    const add = name in ADDED ? this.#newRule(name) : this.#newName(name)
    const root = h('details', h('summary', `${TITLES[name]} `, h('span.quiet', String(rows.length))), list, more, add)
    root.open = before ? before.root.open : rows.length > 0
    if (before) before.root.replaceWith(root)
    else this.root.append(root)
    this.#drawn.set(name, { key, root })
  }

  #more(name, section, rowOf, disabled) {
    this.#shown.set(name, Number.POSITIVE_INFINITY)
    this.#drawn.get(name).key = ''
    this.#section(section, rowOf, disabled)
  }

  #rule(section, { index, pointer, fields, rest }, count) {
    const [of, at] = [`${ENTRY[section]} ${index + 1}`, `${section}/${index}`]
    const field = ({ name, entries }) => {
      const label = `${FIELDS[name]} of ${of}`
      const set = ({ target }) => this.edit('field', section, index, name, entriesOf(target))
      if (name === 'action') return named(FIELDS[name], this.#action(label, entries[0], `${at}/${name}`, set))
      const make = name === 'proto' ? lineField : listField
      return named(FIELDS[name], make(label, name === 'proto' ? entries.join(' ') : entries, `${at}/${name}`, set))
    }
    const move = (to) => () => this.edit('move', section, index, to)
    return h(
      'li.row',
      { part: 'row' },
      button(String(index + 1), `Show ${of} in the text`, `${at}/show`, () => this.reveal(pointer), { className: 'link' }),
      ...fields.map(field),
      rest.length > 0 && h('code.rest', rest.join(', ')),
      h(
        'span.tools',
        button('Up', `Move ${of} up`, `${at}/up`, move(index - 1), { disabled: index === 0 }),
        button('Down', `Move ${of} down`, `${at}/down`, move(index + 1), { disabled: index === count - 1 }),
        button('Comment out', `Comment out ${of}`, `${at}/off`, () => this.edit('disable', section, index)),
        button('Remove', `Remove ${of}`, `${at}/remove`, () => this.edit('remove', section, index)),
      ),
    )
  }

  #action(label, value, at, onchange) {
    const values = [...new Set(['accept', 'check', value ?? ''])]
    const select = h(
      'select',
      { ariaLabel: label, onchange },
      ...values.map((each) => h('option', { value: each, selected: each === (value ?? '') }, each || '—')),
    )
    select.dataset.at = at
    return select
  }

  #disabled({ section, line, offset }) {
    const at = `${section}/off/${offset}`
    return h(
      'li.row quiet',
      `Commented out in line ${line} `,
      button('Use again', `Use the entry in line ${line} again`, at, () => this.edit('enable', offset)),
    )
  }

  #name(section, { name, pointer, entries }) {
    const [of, at] = [`${ENTRY[section]} ${name}`, `${section}/${name}`]
    const set = ({ target }) => this.edit('name', section, name, entriesOf(target))
    const content =
      section === 'hosts' ? lineField(`${CONTENT[section]} of ${of}`, entries.join(' '), at, set) : listField(`${CONTENT[section]} of ${of}`, entries, at, set)
    const rename = lineField(`Name of ${of}`, name, `${at}/name`, ({ target }) => this.edit('rename', name, target.value.trim()))
    return h(
      'li.row',
      { part: 'row' },
      button('Show', `Show ${of} in the text`, `${at}/show`, () => this.reveal(pointer), { className: 'link' }),
      named('Name', rename),
      named(CONTENT[section], content),
      h(
        'span.tools',
        button('Remove', `Remove ${of}`, `${at}/remove`, () => this.edit('name', section, name, null)),
      ),
    )
  }

  #newRule(section) {
    const fields = ADDED[section].map((name) => [name, listField(`${FIELDS[name]} of the new ${ENTRY[section]}`, [], `${section}/new/${name}`)])
    const add = () =>
      this.#added(
        ['add', section, Object.fromEntries(fields.map(([name, field]) => [name, entriesOf(field)]))],
        fields.map(([, field]) => field),
      )
    const label = `Add ${ENTRY[section]}`
    return h('div.row new', ...fields.map(([name, field]) => named(FIELDS[name], field)), h('span.tools', button(label, label, `${section}/add`, add)))
  }

  #newName(section) {
    const of = `the new ${ENTRY[section]}`
    const [name, content] = [lineField(`Name of ${of}`, '', `${section}/new/name`), listField(`${CONTENT[section]} of ${of}`, [], `${section}/new`)]
    const add = () => this.#added(['name', section, name.value.trim(), entriesOf(content)], [name, content])
    const label = `Add ${ENTRY[section]}`
    return h('div.row new', named('Name', name), named(CONTENT[section], content), h('span.tools', button(label, label, `${section}/add`, add)))
  }

  /** Adds an entry; the fields keep what was typed where that fails. */
  async #added(edit, fields) {
    if (!(await this.edit(...edit))) return
    for (const field of fields) field.value = ''
  }
}
