// `<tailnet-policy>` in a page: text, findings, differences and form. Must not live here: what the language service answers (`editors`).

import { BEFORE, CONTEXT, OPEN, WITHOUT_BOB } from './policy.mjs'
import { all, changed, findings, next, one, shown, status, texts, until } from './page-tools.mjs'
import { equal, ok } from '/cases/assert.mjs'

const WIDE = '{"action": "accept", "src": ["group:dev", "group:ops"], "dst": ["tag:web:*", "tag:db:*"]},'
const content = (element) => element.shadowRoot.querySelector('.cm-content')

/** Waits until nothing has changed in an element for a while: axe fails while something does. */
const still = (element) =>
  new Promise((done) => {
    let timer
    const observer = new MutationObserver(() => wait())
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => (observer.disconnect(), done()), 800)
    }
    observer.observe(element.shadowRoot, { subtree: true, childList: true, attributes: true, characterData: true })
    wait()
  })

/** An element with its editor. */
async function editor(properties) {
  const element = await shown('tailnet-policy', { value: BEFORE, context: CONTEXT, ...properties })
  await until(() => content(element), 'the editor is there')
  return element
}

/** Types words at the end of the line that holds `words`. */
function type(element, words, typed) {
  const line = all(element, '.cm-line').find(({ textContent }) => textContent.includes(words))
  content(element).focus()
  const range = document.createRange()
  range.selectNodeContents(line)
  range.collapse(false)
  getSelection().removeAllRanges()
  getSelection().addRange(range)
  document.execCommand('insertText', false, typed)
}

const field = (element, label) => until(() => all(element, `[aria-label="${label}"]`)[0], label)
async function fill(element, label, value) {
  const told = next(element, 'change')
  const area = await field(element, label)
  area.value = value
  area.dispatchEvent(new Event('change'))
  return (await told).value
}
const press = async (element, label) => {
  const told = next(element, 'change')
  ;(await field(element, label)).click()
  return (await told).value
}
const inForm = (properties) => editor({ view: 'form', ...properties })

export const cases = {
  async 'a policy is a text with a verdict'() {
    const element = await editor()
    equal(status(element), 'Would be accepted')
    ok(content(element).textContent.includes('"group:ops": ["carol@example.com"]'), 'the text is there')
    await until(() => all(element, '.tailnet-group').length > 0, 'words have colours')
  },
  async 'a line that is too long goes on below its own indentation'() {
    const element = await editor()
    element.style.inlineSize = '260px'
    const line = await until(() => all(element, '.cm-line').find(({ textContent }) => textContent.includes('"group:ops": [')), 'the line is there')
    await until(() => line.getBoundingClientRect().height > 1.5 * all(element, '.cm-line')[0].getBoundingClientRect().height, 'it is on two lines')
    const { top, left } = line.getBoundingClientRect()
    const range = document.createRange()
    range.selectNodeContents(line)
    const below = [...range.getClientRects()].filter((rect) => rect.width > 0 && rect.top > top + 10)
    const starts = below.map((rect) => Math.round(rect.left - left))
    ok(starts.length > 0 && Math.min(...starts) > 20, `${starts}`)
  },
  async 'what somebody types is the value at once, and told once'() {
    const element = await editor()
    const told = next(document.body, 'change')
    type(element, '// Who may.', ' Today.')
    const expected = BEFORE.replace('// Who may.', '// Who may. Today.')
    equal([(await told).value, element.value], [expected, expected])
    await element.undo()
    equal(element.value, BEFORE)
    await element.redo()
    equal(element.value, expected)
  },
  async 'a value that the page sets is no change of a person'() {
    const element = await editor()
    element.addEventListener('change', () => globalThis.faults.push('a change was told'))
    await changed(element, { value: WITHOUT_BOB })
    ok(!content(element).textContent.includes('"bob@example.com",'), 'the editor has it')
    equal(element.value, WITHOUT_BOB)
  },
  async 'the verdict comes after a pause, and what refuses the policy is first'() {
    const element = await editor()
    const said = []
    const observer = new MutationObserver(() => said.push(status(element)))
    observer.observe(element.shadowRoot.querySelector('[role=status]'), { childList: true, characterData: true, subtree: true })
    const answer = next(element, 'answer')
    for (const letter of '// abc') {
      type(element, '// Who may.', letter)
      await new Promise((done) => setTimeout(done, 30))
    }
    await answer
    equal(said, [])
    observer.disconnect()
    const told = next(document.body, 'findings')
    await changed(element, { value: BEFORE.replace('"acls"', '"ACLs"').replace('"group:dev"], "dst"', '"group:def"], "dst"') })
    equal((await told).map(({ code }) => code).sort(), ['old_spelling', 'unknown_group'])
    ok(/^Would be refused: group not found: "group:def"$/.test(status(element)), status(element))
    const listed = texts(element, '.findings li')
    ok(/^Error line 12: group not found: "group:def" Did you mean group:dev\?$/.test(listed[0]) && /^Warning line 11:/.test(listed[1]), listed.join('\n'))
  },
  async 'equal warnings are one, and each of its lines leads to the text'() {
    const element = await editor({ value: BEFORE.replace('"acls": [', `"acls": [\n    ${WIDE}`) })
    const [first] = texts(element, '.findings li')
    ok(/^(Warning|Note) lines 13, 14, 15: .*\(3 of this kind\)/.test(first), first)
    one(element, '.findings button', '14').click()
    await until(() => all(element, '.cm-activeLine').some(({ textContent }) => textContent.includes('"tag:web:22"')), 'the cursor is there')
  },
  async 'a test that fails says who must reach what'() {
    const tests = '"tests": [{"src": "bob@example.com", "accept": ["tag:db:22"]}],\n  "acls": ['
    const element = await editor({ value: BEFORE.replace('"acls": [', tests) })
    equal(status(element), 'Would be refused: 1 of 1 test fails')
    ok(texts(element, '.findings li')[0].includes('bob@example.com must reach tag:db:22, but does not (test, line 11).'), texts(element, '.findings li')[0])
  },
  async 'lines that differ from the base are marked'() {
    const element = await editor({ base: BEFORE, value: WITHOUT_BOB.replace('"tag:web:22"', '"tag:web:2222"') })
    await until(() => all(element, '.differences .changed').length === 1, 'a changed line')
    await until(() => all(element, '.differences .removed').length === 1, 'a removed line')
    await changed(element, { value: BEFORE })
    await until(() => all(element, '.differences .changed, .differences .removed').length === 0, 'no mark')
  },
  async 'the text stays where it is when its marks come'() {
    const element = await editor({ value: WITHOUT_BOB })
    const placed = ({ x, width } = content(element).getBoundingClientRect()) => ({ x, width })
    const before = placed()
    await changed(element, { base: BEFORE })
    await until(() => all(element, '.differences .removed').length === 1, 'a mark')
    equal(placed(), before)
  },
  async 'the changes show the lines that went'() {
    const element = await editor({ base: BEFORE, value: WITHOUT_BOB, view: 'changes' })
    await until(() => texts(element, '.cm-deletedLine').some((line) => line === '"bob@example.com",'), 'the line that went')
    one(element, 'button', 'Text').click()
    await until(() => all(element, '.cm-deletedLine').length === 0, 'the text alone')
  },
  async 'a rule in the form is a row, and its edit keeps comments'() {
    const element = await inForm()
    const value = await fill(element, 'Destinations of rule 1', 'tag:web:443\ntag:db:5432\ntag:web:80,8080')
    equal(value, BEFORE.replace('"tag:db:5432"]', '"tag:db:5432", "tag:web:80,8080"]'))
    ok(value.includes('// Who may.'), 'the comment is there')
    await element.undo()
    equal(element.value, BEFORE)
  },
  async 'a member of a group in the form goes, and the verdict follows'() {
    const element = await inForm()
    const value = await fill(element, 'Members of group group:dev', 'ann@example.com')
    ok(!/"bob@example.com",\n/.test(value) && value.includes('// Who may.'), value)
    await fill(element, 'Sources of rule 2', 'group:nobody')
    await until(() => status(element).startsWith('Would be refused'), 'the verdict')
  },
  async 'rules move, are commented out and used again, and go'() {
    const element = await inForm()
    const moved = await press(element, 'Move rule 2 up')
    ok(moved.indexOf('"tag:db:*"') < moved.indexOf('"tag:db:5432"'), moved)
    const off = await press(element, 'Comment out rule 1')
    ok(/\/\/ ?\{.*"tag:db:\*"/.test(off) || /\/\*.*"tag:db:\*"/.test(off), off)
    equal(await press(element, 'Use the entry in line 12 again'), moved)
    const gone = await press(element, 'Remove rule 3')
    ok(!gone.includes('tag:web:80'), gone)
  },
  async 'a rule, a group and a host are added'() {
    const element = await inForm()
    ;(await field(element, 'Sources of the new rule')).value = 'group:new'
    ;(await field(element, 'Destinations of the new rule')).value = 'tag:web:8443'
    ok((await press(element, 'Add rule')).includes('{"action": "accept", "src": ["group:new"], "dst": ["tag:web:8443"]}'), element.value)
    ;(await field(element, 'Name of the new group')).value = 'new'
    ;(await field(element, 'Members of the new group')).value = 'ann@example.com\ncarol@example.com'
    ok(/"group:new": \["ann@example.com", "carol@example.com"\]/.test(await press(element, 'Add group')), element.value)
    ;(await field(element, 'Name of the new host')).value = 'nas'
    ;(await field(element, 'Address of the new host')).value = '10.0.0.9'
    ok(/"nas": "10.0.0.9"/.test(await press(element, 'Add host')), element.value)
  },
  async 'a group is renamed everywhere'() {
    const element = await inForm()
    equal(await fill(element, 'Name of group group:dev', 'group:crew'), BEFORE.replaceAll('group:dev', 'group:crew'))
  },
  async 'an older spelling stays as it is written'() {
    const old = BEFORE.replace('"acls"', '"ACLs"').replaceAll('"src"', '"Users"').replaceAll('"dst"', '"Ports"')
    const element = await inForm({ value: old })
    equal(
      await fill(element, 'Sources of rule 2', 'group:ops\ngroup:dev'),
      old.replace('"Users": ["group:ops"], "Ports": ["tag:db:*"', '"Users": ["group:ops", "group:dev"], "Ports": ["tag:db:*"'),
    )
  },
  async 'an edit that cannot be made says why, and changes nothing'() {
    const element = await inForm()
    const name = await field(element, 'Name of group group:dev')
    name.value = 'group:ops'
    name.dispatchEvent(new Event('change'))
    await until(() => texts(element, '.form [role=alert]').some((words) => words.includes('group:ops')), 'the reason')
    equal(element.value, BEFORE)
  },
  async 'a text with an error of syntax has no form until it is mended'() {
    const element = await inForm()
    await changed(element, { value: BEFORE.replace('"acls"', 'acls') })
    ok(all(element, '.form')[0].inert && texts(element, '.form [role=alert]')[0].includes('without errors of syntax'), 'it says so')
    await changed(element, { value: BEFORE })
    ok(!all(element, '.form')[0].inert, 'it is back')
  },
  async 'who goes to a line tells the page, and who is brought there does not'() {
    const element = await editor()
    const lines = []
    element.addEventListener('rule', ({ detail }) => lines.push(detail.line))
    await element.reveal(12)
    content(element).dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', code: 'ArrowDown', keyCode: 40, bubbles: true, cancelable: true }))
    await until(() => lines.length > 0, 'it is told')
    equal(lines, [13])
  },
  async 'axe finds nothing in text, form and changes'() {
    const element = await editor({ base: BEFORE, value: WITHOUT_BOB.replace('"acls"', '"ACLs"') })
    await until(() => all(element, '.differences .removed').length === 1, 'marks')
    for (const [view, part] of Object.entries({ text: '.differences .removed', form: '[aria-label="Sources of rule 1"]', changes: '.cm-deletedLine' })) {
      element.view = view
      await until(() => all(element, part).length > 0, part)
      await still(element)
      equal(await findings(), [])
    }
  },
  async 'a page may mark lines'() {
    const element = await editor()
    await element.mark([12, 13])
    await until(() => all(element, '.cm-line.marked').length === 2, 'two lines are marked')
  },
  async 'Mod-s saves where the page says so'() {
    const element = await editor()
    const saved = new Promise((done) =>
      element.addEventListener('save', (event) => {
        event.preventDefault()
        done(element.value)
      }),
    )
    content(element).dispatchEvent(new KeyboardEvent('keydown', { key: 's', code: 'KeyS', ctrlKey: true, bubbles: true, cancelable: true }))
    equal(await saved, BEFORE)
  },
  async 'a file that is opened or dropped becomes the text, which can be taken back, unless the page keeps it'() {
    const element = await editor({ base: BEFORE })
    const change = next(element, 'change')
    await element.open(new File([WITHOUT_BOB], 'mine.hujson'))
    equal((await change).value, WITHOUT_BOB)
    equal(texts(element, '[part=offer]'), ['This is mine.hujson now; Undo brings back what was here.'])
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['{}'], 'dropped.hujson'))
    content(element).dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, composed: true, cancelable: true }))
    await until(() => element.value === '{}', 'the text of the file is there, and no more')
    await element.undo()
    equal(element.value, WITHOUT_BOB)
    element.addEventListener('open', (event) => event.preventDefault(), { once: true })
    await element.open(new File(['{}'], 'other.hujson'))
    equal(element.value, WITHOUT_BOB)
    await element.open(new File([JSON.stringify({ value: OPEN, base: BEFORE, context: CONTEXT })], 'policy-change.json'))
    equal([element.value, element.base], [OPEN, BEFORE])
    const thrown = await element.open(new File(['a\0b'], 'picture.png')).catch(({ message }) => message)
    equal(thrown, 'picture.png is no text')
  },
  async 'the text goes back to its base by a button'() {
    const element = await editor({ base: BEFORE, value: WITHOUT_BOB })
    const change = next(element, 'change')
    one(element, '.bar button', 'Revert').click()
    equal((await change).value, BEFORE)
    equal(one(element, '.bar button', 'Revert').ariaDisabled, 'true')
    element.base = ''
    ok(one(element, '.bar button', 'Revert').hidden, 'there is nothing to go back to')
  },
  async 'JSON5 is offered as HuJSON, other nonsense is not'() {
    const element = await editor({ value: "// mine\n{acls: [{action: 'accept', src: ['*'], dst: ['*:22'],},],}" })
    const button = await until(() => one(element, '[part=offer] button', 'Turn it into HuJSON'), 'the offer is there')
    button.click()
    await until(() => /"src": \["\*"\]/.test(element.value), 'it is HuJSON')
    ok(element.value.startsWith('// mine'), element.value)
    ok(texts(element, '[part=offer]')[0].startsWith('This is HuJSON now'), texts(element, '[part=offer]')[0])
    await changed(element, { value: '{"acls": nonsense, }}' })
    await changed(element, { view: 'form' }) // An offer would come before the next answer.
    equal(all(element, '[part=offer] button').length, 0)
  },
  async 'a line of the base that went is quoted'() {
    const element = await editor({ base: BEFORE, value: WITHOUT_BOB })
    await element.reveal(6, 'base')
    equal(texts(element, '[part=offer]'), ['Line 6 of the text before: "bob@example.com",'])
  },
  async 'the editor survives being moved'() {
    const element = await editor()
    const place = document.body.appendChild(document.createElement('div'))
    type(element, '// Who may.', '!')
    place.append(element)
    await until(() => content(element), 'the editor is there')
    ok(content(element).textContent.includes('// Who may.!'), 'with its text')
  },
}
