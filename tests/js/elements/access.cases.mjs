// `<tailnet-access>` in a page. Must not live here: what holds for every element.

import { all, changed, findings, next, one, shown, status, texts } from './page-tools.mjs'
import { BEFORE, CONTEXT, OPEN, WITHOUT_BOB, large } from './policy.mjs'
import { equal, ok } from '/cases/assert.mjs'

const show = (more) => shown('tailnet-access', { value: BEFORE, context: CONTEXT, ...more })
/** A cell by what a screen reader reads. */
const cell = (element, label) => all(element, '[role=gridcell]').find(({ textContent }) => textContent.startsWith(label))
const labels = (element) => all(element, '[role=gridcell]').map(({ textContent }) => textContent)
const focused = (element) => element.shadowRoot.activeElement
const press = (element, key, more) => focused(element).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, ...more }))
const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
const type = (element, label, words) => {
  const field = all(element, 'input').find(({ ariaLabel }) => ariaLabel === label)
  field.value = words
  field.dispatchEvent(new Event('input'))
}
const tick = (element, label) => one(element, 'label', label).querySelector('input').click()

export const cases = {
  async 'a cell says who reaches what, and leads to its rules'() {
    const element = await show()
    ok(cell(element, 'ann@example.com → tag:db: 5432'), labels(element).join('\n'))
    const told = next(document.body, 'cell')
    cell(element, 'bob@example.com → tag:web: ').click()
    const { source, destination, because } = await told
    equal([source, destination, because.map(({ line }) => line)], ['bob@example.com', 'tag:web', [12, 14]])
    const rule = next(document.body, 'rule')
    one(element, '[part=rule]', '14').click()
    equal(await rule, { section: 'acls', index: 2, line: 14, text: 'value' })
  },
  async 'a cell that is pointed at says what it is, until the pointer leaves; then the one in use is told again'() {
    const element = await show()
    const [told, grid] = ['.told', '[role=grid]'].map((place) => all(element, place)[0])
    const point = (label) => cell(element, label).dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
    point('ann@example.com → tag:db: ')
    ok(/^ann@example\.com → tag:db: 5432.*12/.test(told.textContent), told.textContent)
    grid.dispatchEvent(new PointerEvent('pointerleave'))
    equal(told.textContent, '')
    cell(element, 'bob@example.com → tag:web: ').click()
    point('ann@example.com → tag:db: ')
    grid.dispatchEvent(new PointerEvent('pointerleave'))
    ok(told.textContent.startsWith('bob@example.com → tag:web: '), told.textContent)
  },
  async 'a port that became all ports is shown as that'() {
    const element = await show({ base: BEFORE, value: BEFORE.replace('tag:db:5432', 'tag:db:*') })
    const found = cell(element, 'ann@example.com +1 → tag:db: all ports; gained: 0-5431, 5433-65535')
    equal(found?.querySelector('[aria-hidden]').textContent, '5432 → all', labels(element).join('\n'))
  },
  async 'what a broader rule gives or takes is marked at everyone who has it'() {
    const [narrow, open] = [BEFORE, OPEN].map((text) => text.replace('"tag:db:*", ', ''))
    const gained = await show({ base: narrow, value: open })
    ok(cell(gained, 'carol@example.com → tag:db: all ports; gained: all ports'), labels(gained).join('\n'))
    const lost = await show({ base: open, value: narrow })
    const found = cell(lost, 'carol@example.com → tag:db: nothing any more; lost: all ports')
    equal(found?.querySelector('[aria-hidden]').textContent, '−all', labels(lost).join('\n'))
  },
  async 'who leaves a group loses what it had, and nobody who is still reached is marked'() {
    const among = '"acls": [\n    {"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:member:22"]},'
    const [base, value] = [BEFORE, WITHOUT_BOB].map((text) => text.replace('"acls": [', among))
    const element = await show({ base, value })
    ok(cell(element, 'bob@example.com → tag:db: nothing any more; lost: 5432'), labels(element).join('\n'))
    tick(element, 'Only what changes')
    const marked = all(element, '.cell.lost, .cell.gained, .cell.undecided').map(({ textContent }) => textContent)
    // Of the members, bob alone loses something: the row of all of them has no mark.
    ok(marked.length > 0 && marked.every((words) => words.startsWith('bob@example.com → tag:')), marked.join('\n'))
  },
  async 'a broader name is marked for what no other row or column is marked for'() {
    const devices = [
      ...CONTEXT.devices,
      { ...CONTEXT.devices[1], id: '9', name: 'spare.example.ts.net', hostname: 'spare', tags: ['tag:spare'], addresses: ['100.64.0.9'] },
    ]
    const text = (to) => `{"tagOwners": {"tag:db": [], "tag:spare": []}, "acls": [{"action": "accept", "src": ["*"], "dst": ["${to}:80"]}]}`
    const marked = async (base, value) => {
      const element = await show({ base, value, context: { ...CONTEXT, devices } })
      return all(element, '.cell.lost').map(({ textContent }) => textContent.split(':', 2).join(':'))
    }
    const lost = await marked(text('*'), text('tag:db'))
    ok(
      lost.some((words) => words.includes('→ *')),
      lost.join('\n'),
    )
  },
  async 'what only some of the devices reach is said once, in words'() {
    const acls =
      '"acls": [{"action": "accept", "src": ["ann@example.com"], "dst": ["tag:web:*"]}, {"action": "accept", "src": ["autogroup:member"], "dst": ["tag:db:22"]}]'
    const element = await show({ value: `{"groups": {"group:dev": ["ann@example.com"]}, "tagOwners": {"tag:web": [], "tag:db": []}, ${acls}}` })
    const found = cell(element, 'autogroup:member → tag:web: ')
    equal(found?.querySelector('[aria-hidden]').textContent, 'all in part', labels(element).join('\n'))
    ok(found.textContent.startsWith('autogroup:member → tag:web: all ports in part'), found.textContent)
    ok(!element.toSVG().includes('>* in part<'), element.toSVG())
  },
  async 'what changes against a base is shown alone at first, and marked'() {
    const element = await show({ base: BEFORE, value: WITHOUT_BOB })
    equal(status(element), '1 of 3 sources, 2 destinations')
    ok(cell(element, 'bob@example.com → tag:db: nothing any more; lost: 5432'), labels(element).join('\n'))
    ok(cell(element, 'bob@example.com → tag:web: 80; lost: 443'), labels(element).join('\n'))
    tick(element, 'Only what changes')
    equal(status(element), '3 sources, 2 destinations')
    await changed(element, { value: BEFORE })
    equal(all(element, '.cell.lost').length, 0)
  },
  async 'for a name that only the base has, what a wider rule still opens is shown'() {
    const wider = '{"action": "accept", "src": ["autogroup:member"], "dst": ["tag:web:80"]},\n  ],\n  "ssh"'
    const [base, value] = [BEFORE, WITHOUT_BOB.replace(/.*"src": \["bob@example.com"\].*\n/, '')].map((text) => text.replace('],\n  "ssh"', wider))
    const element = await show({ base, value })
    ok(cell(element, 'bob@example.com → tag:web: 80; lost: 443; via the broader autogroup:member'), labels(element).join('\n'))
  },
  async 'the cells that a line opens are marked'() {
    const element = await show()
    element.mark([12])
    const marked = all(element, '.cell.marked').map(({ textContent }) => textContent.split(':').slice(0, 2).join(':'))
    ok(marked.includes('ann@example.com → tag:db'), marked.join('\n'))
    ok(!marked.some((words) => words.startsWith('carol')), marked.join('\n'))
  },
  async 'filters take words of names, whatever the case'() {
    const element = await show()
    type(element, 'Filter sources', 'CAROL')
    equal(status(element), '1 of 3 sources, 2 destinations')
    type(element, 'Filter destinations', 'nothing')
    equal(status(element), 'No name matches.')
  },
  async 'equal rows are one'() {
    const value = BEFORE.replace('"bob@example.com",\n', '"bob@example.com", "dora@example.com", "emil@example.com",\n')
    const element = await show({ value })
    ok(texts(element, '[role=rowheader]').includes('ann@example.com +2'), texts(element, '[role=rowheader]').join('\n'))
    tick(element, 'Group identical')
    equal(texts(element, '[role=rowheader]').length, 5)
  },
  async 'ports have the names of what listens there where somebody wants that, in the picture too'() {
    const element = await show({ base: BEFORE, value: WITHOUT_BOB })
    tick(element, 'Port names')
    equal(texts(element, '.cell .lost'), ['−postgres', '−https'])
    equal(texts(element, '.cell .same'), ['http'])
    ok(element.toSVG().includes('>−postgres</text>'), element.toSVG())
    tick(element, 'Port names')
    equal(texts(element, '.cell .lost'), ['−5432', '−443'])
  },
  async 'arrow keys move, and Tab stops once'() {
    const element = await show()
    const stops = () => all(element, '[role=grid] [tabindex="0"]')
    equal(stops().length, 1)
    stops()[0].focus()
    const first = focused(element).textContent
    press(element, 'ArrowRight')
    ok(focused(element).textContent !== first, 'another cell')
    press(element, 'ArrowDown')
    equal(focused(element).place, { row: 1, column: 1 })
    press(element, 'Home', { ctrlKey: true })
    press(element, 'ArrowUp')
    equal([focused(element).role, stops().length], ['columnheader', 1])
    press(element, 'End', { ctrlKey: true })
    equal(focused(element).place, { row: 2, column: 1 })
    equal(texts(element, '.told').length, 1)
  },
  async 'a page may jump to a cell, which clears filters that hide it'() {
    const element = await show()
    type(element, 'Filter sources', 'carol')
    ok(element.jump({ source: 'bob@example.com', destination: 'tag:db' }), 'it is there')
    ok(focused(element).textContent.startsWith('bob@example.com → tag:db: 5432'), focused(element).textContent)
    equal(element.jump({ source: 'nobody@example.com', destination: 'tag:db' }), false)
    const answer = next(element, 'answer')
    element.jump({ source: 'carol@example.com', destination: 'tag:web', of: 'logins' })
    await answer
    ok(focused(element).textContent.startsWith('carol@example.com → tag:web: ubuntu'), focused(element).textContent)
  },
  async 'logins are a matrix too, with their changes'() {
    const element = await show({ of: 'logins', base: BEFORE, value: BEFORE.replace('"ubuntu"', '"root"') })
    ok(cell(element, 'carol@example.com → tag:web: root; lost: ubuntu; gained: root'), labels(element).join('\n'))
  },
  async 'a login that now takes a check is marked'() {
    const element = await show({ of: 'logins', base: BEFORE, value: BEFORE.replace('"ssh": [{"action": "accept"', '"ssh": [{"action": "check"') })
    ok(cell(element, 'carol@example.com → tag:web: ubuntu (check); lost: ubuntu; gained: ubuntu (check)'), labels(element).join('\n'))
  },
  async 'devices are rows and columns too, with their changes'() {
    const element = await show({ by: 'device', base: BEFORE, value: WITHOUT_BOB })
    ok(cell(element, 'bob-laptop → db-1: nothing any more; lost: 5432'), labels(element).join('\n'))
  },
  async 'a cell of a device is found among the devices'() {
    const element = await show({ base: BEFORE, value: WITHOUT_BOB })
    const answer = next(element, 'answer')
    equal(element.jump({ source: 'bob-laptop', destination: 'db-1' }), false)
    await answer
    ok(focused(element).textContent.startsWith('bob-laptop → db-1: '), focused(element).textContent)
  },
  async 'every changed cell is where the changes lead'() {
    const element = await show({ base: BEFORE, value: WITHOUT_BOB })
    const list = await shown('tailnet-changes', { base: BEFORE, value: WITHOUT_BOB, context: CONTEXT })
    const found = []
    list.addEventListener('cell', ({ detail }) => found.push(element.jump(detail)))
    for (const button of all(list, '[part=cell]')) button.click()
    equal(found, [true, true])
  },
  async 'what is larger than its place has an overview'() {
    const overviewOf = async (rows, columns) => {
      const element = await show({ value: large(rows, columns), context: undefined })
      tick(element, 'Group identical')
      return !all(element, '[part=overview]')[0].hidden
    }
    equal([await overviewOf(20, 40), await overviewOf(6, 13)], [true, false])
  },
  async '200 sources and 400 destinations are one view with an overview'() {
    const element = await show({ value: large(200, 400), context: undefined })
    tick(element, 'Group identical')
    equal(status(element), '200 sources, 400 destinations')
    ok(all(element, '[role=gridcell]').length < 3000, `${all(element, '[role=gridcell]').length} cells are drawn`)
    equal([all(element, '[role=grid]')[0].ariaRowCount, all(element, '[role=grid]')[0].ariaColCount], ['201', '401'])
    const [canvas] = all(element, 'canvas')
    equal([canvas.width, canvas.height], [400, 200])
    const { data } = canvas.getContext('2d').getImageData(0, 0, 400, 200)
    ok(data[3] === 255, 'user 0 reaches tag 0')
    ok(element.jump({ source: 'user199@example.com', destination: 'tag:t399' }), 'the far corner')
    await drawn()
    ok(focused(element).textContent.startsWith('user199@example.com → tag:t399'), focused(element).textContent)
    const [grid] = all(element, '[role=grid]')
    ok(grid.scrollTop > 1000 && grid.scrollLeft > 1000, 'it is in view')
    equal(await findings(), [])
  },
  async 'SVG, PNG and CSV have what is shown'() {
    const element = await show()
    const [svg, csv, png] = [element.toSVG(), element.toCSV(), await element.toPNG()]
    const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml')
    ok(parsed.querySelector('title').textContent.startsWith('Who reaches what'), svg)
    ok(
      [...parsed.querySelectorAll('text')].some(({ textContent }) => textContent === '5432'),
      svg,
    )
    ok(csv.startsWith('"source","destination","ports"'), csv)
    ok(csv.includes('\r\n"ann@example.com","tag:db","5432","","","","","12"\r\n'), csv)
    const bytes = new Uint8Array(await png.arrayBuffer())
    equal([...bytes.slice(0, 4)], [0x89, 0x50, 0x4e, 0x47])
  },
  async 'numbers are written as in the language of the page'() {
    const holder = document.createElement('div')
    holder.lang = 'de'
    const element = document.createElement('tailnet-access')
    document.getElementById('place').append(holder)
    const answer = next(element, 'answer')
    Object.assign(element, { value: large(3, 1200) })
    holder.append(element)
    await answer
    ok(status(element).includes('1.200 destinations'), status(element))
  },
  async 'axe finds nothing, light and dark'() {
    const element = await show({ base: BEFORE, value: WITHOUT_BOB })
    cell(element, 'bob').focus()
    const found = {}
    for (const scheme of ['light', 'dark']) {
      document.documentElement.style.colorScheme = scheme
      found[scheme] = await findings()
    }
    document.documentElement.style.colorScheme = ''
    equal(found, { light: [], dark: [] })
  },
  async 'a condition of a cell is said'() {
    const value = BEFORE.replace('"dst": ["tag:db:*", "tag:web:22"]', '"dst": ["tag:db:*"], "srcPosture": ["posture:new"]').replace(
      '"acls"',
      '"postures": {"posture:new": ["node:os == \'linux\'"]}, "acls"',
    )
    const element = await show({ value, context: undefined })
    ok(
      labels(element).some((words) => words.startsWith('carol@example.com → tag:db: all ports; only with posture:new')),
      labels(element).join('\n'),
    )
  },
}
