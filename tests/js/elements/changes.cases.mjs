// `<tailnet-changes>` in a page. Must not live here: what holds for every element.

import { changed, next, one, shown, status, texts, until } from './page-tools.mjs'
import { BEFORE, CONTEXT, OPEN, WITHOUT_BOB } from './policy.mjs'
import { equal, ok } from '/cases/assert.mjs'

const show = (after, more) => shown('tailnet-changes', { base: BEFORE, value: after, context: CONTEXT, ...more })

export const cases = {
  async 'who loses what, and which line is why'() {
    const element = await show(WITHOUT_BOB)
    equal(status(element), '1 loses access, nobody gains.')
    equal(texts(element, 'li'), ['bob@example.com loses tag:db 5432, tag:web 443, because line 4 changed.'])
  },
  async 'an item leads to its cell and its line'() {
    const element = await show(WITHOUT_BOB)
    const cell = next(document.body, 'cell')
    one(element, 'button', 'tag:db').click()
    equal(await cell, { source: 'bob@example.com', destination: 'tag:db', of: 'ports' })
    const rule = next(document.body, 'rule')
    one(element, '[part=rule]', '4').click()
    equal(await rule, { line: 4, text: 'value', pointer: '/groups/group:dev' })
  },
  async 'the items of a line are marked, and stay so with the next answer'() {
    const element = await show(WITHOUT_BOB)
    element.mark([4])
    equal(texts(element, 'li.marked').length, 1)
    await changed(element, { value: `${WITHOUT_BOB}\n` })
    equal(texts(element, 'li.marked').length, 1)
    element.mark([5])
    equal(texts(element, 'li.marked'), [])
  },
  async 'a test that fails is told by what it asks for'() {
    const text = (who, tested) => `{
  "groups": {"group:dev": ["${who}@example.com"]}, "tagOwners": {"tag:db": []},
  "acls": [{"action": "accept", "src": ["group:dev"], "dst": ["tag:db:5432"]}],
  "tests": [{"src": "bob@example.com", "${tested}": ["tag:db:5432"]}],
}`
    const element = await shown('tailnet-changes', { base: text('bob', 'accept'), value: text('carol', 'accept') })
    ok(texts(element, 'li').includes('A test fails: tag:db:5432 must be reached, and no longer can be (line 4).'), texts(element, 'li').join('\n'))
    await changed(element, { base: text('carol', 'deny'), value: text('bob', 'deny') })
    ok(texts(element, 'li').includes('A test fails: tag:db:5432 must not be reached, and now can be (line 4).'), texts(element, 'li').join('\n'))
  },
  async 'what is open to everyone is loud and first, and a gain is not green'() {
    const element = await show(OPEN)
    const [first] = texts(element, 'li')
    equal(first, 'Danger: Opens every port of every machine to everyone in the tailnet. Because line 12 is new.')
    const [red, green, blue] = getComputedStyle(element.shadowRoot.querySelector('.gain')).borderInlineStartColor.match(/\d+/g).map(Number)
    ok(green < blue && red < blue, 'gains are blue')
    const narrow = '{"tagOwners": {"tag:web": []}, "acls": [{"action": "accept", "src": ["autogroup:member"], "dst": ["tag:web:80"]}]}'
    await changed(element, { base: narrow, value: '{}' })
    ok(texts(element, 'li')[0].startsWith('Danger: Opens every port of every machine to everyone in the tailnet (all but '), texts(element, 'li').join('\n'))
  },
  async 'a rule that is gone is named by its line in the text before'() {
    const element = await show(BEFORE.replace(/.*"tag:web:80".*\n/, ''))
    equal(texts(element, 'li')[0], 'bob@example.com loses tag:web 80, because line 14 was removed.')
  },
  async 'of several changes the one that the rules mention is the cause'() {
    const element = await show(WITHOUT_BOB.replace('"tag:web:22"', '"tag:web:22,8080"'))
    equal(texts(element, 'li'), [
      'bob@example.com loses tag:db 5432, tag:web 443, because line 4 changed.',
      'carol@example.com gains tag:web 8080, because line 12 changed.',
    ])
  },
  async 'logins and powers are told'() {
    const after = BEFORE.replace('"users": ["ubuntu"]', '"users": ["root"]').replace('"tag:db": ["group:ops"]', '"tag:db": ["group:ops", "bob@example.com"]')
    const element = await show(after)
    const all = texts(element, 'li')
    ok(all[0].startsWith('Warning: bob@example.com may now put tag:db on a device'), all[0])
    ok(
      all.some((words) => words.startsWith('carol@example.com loses tag:web ssh as ubuntu')),
      all.join('\n'),
    )
    const cell = next(document.body, 'cell')
    one(element, 'button', 'ssh as root').click()
    equal(await cell, { source: 'carol@example.com', destination: 'tag:web', of: 'logins' })
  },
  async 'who has nothing left is said'() {
    const after = BEFORE.replace(/.*"group:dev"\], "dst".*\n/, '')
    const element = await show(after)
    ok(
      texts(element, '.danger').some((words) => words === 'Danger: ann@example.com has no access left.'),
      texts(element, 'li').join('\n'),
    )
  },
  async 'no change and no effect are told apart'() {
    const element = await show(BEFORE)
    equal([status(element), texts(element, 'li')], ['No change yet.', []])
    await changed(element, { value: BEFORE.replace('Who may', 'Who might') })
    equal([status(element), texts(element, 'li')], ['No effective change: only comments or layout differ.', []])
  },
  async 'a network that changes counts as a change'() {
    const devices = CONTEXT.devices.map((device) => (device.id === '2' ? { ...device, tags: ['tag:web'] } : device))
    const element = await show(BEFORE, { baseContext: CONTEXT, context: { ...CONTEXT, devices } })
    ok(texts(element, 'li.loss').length > 0, status(element))
  },
  async 'a device that is kept out is a loss, though no rule says so'() {
    const devices = CONTEXT.devices.map((device) => (device.id === '4' ? { ...device, authorized: false } : device))
    const element = await show(BEFORE, { baseContext: CONTEXT, context: { ...CONTEXT, devices } })
    equal(
      [status(element), texts(element, 'li.loss')],
      ['1 device takes part otherwise.', ['bob-laptop is no longer authorized: nothing from it or to it arrives.']],
    )
    await changed(element, { baseContext: { ...CONTEXT, devices }, context: CONTEXT })
    equal(texts(element, 'li.gain'), ['bob-laptop is authorized now, without which nothing from it or to it arrived.'])
    const shielded = CONTEXT.devices.map((device) => (device.id === '4' ? { ...device, blocksIncomingConnections: true } : device))
    await changed(element, { baseContext: CONTEXT, context: { ...CONTEXT, devices: shielded } })
    equal(texts(element, 'li.loss'), ['bob-laptop takes in no connections any more: its shields are up.'])
  },
  async 'a device that changes hands is said to, though both reach the same'() {
    const open = '{"acls": [{"action": "accept", "src": ["ann@example.com", "bob@example.com"], "dst": ["tag:db:22"]}], "tagOwners": {"tag:db": []}}'
    const devices = CONTEXT.devices.map((device) => (device.id === '4' ? { ...device, user: 'ann@example.com' } : device))
    const element = await show(open, { base: open, baseContext: CONTEXT, context: { ...CONTEXT, devices } })
    ok(texts(element, 'li').includes('bob-laptop belongs to ann@example.com now, before to bob@example.com.'), texts(element, 'li').join('\n'))
  },
  async 'a text is no cause of what the network changes'() {
    const devices = CONTEXT.devices.map((device) => (device.id === '2' ? { ...device, tags: ['tag:web'] } : device))
    const element = await show(BEFORE.replace('"tag:web:22"', '"tag:web:22,8080"'), { baseContext: CONTEXT, context: { ...CONTEXT, devices } })
    const [loss] = texts(element, 'li.loss')
    ok(!loss.includes('because line 13'), loss)
  },
  async 'a text that is not there yet is no change'() {
    const element = document.createElement('tailnet-changes')
    document.getElementById('place').append(element)
    element.value = BEFORE
    await until(() => element.body.ariaBusy === 'false', 'it has nothing to ask')
    equal([status(element), element.shadowRoot.querySelector('[role=alert]').hidden], ['', true])
    await changed(element, { base: BEFORE })
    equal(status(element), 'No change yet.')
  },
  async 'a login behind a new check is told, and counted'() {
    const element = await show(BEFORE.replace('"ssh": [{"action": "accept"', '"ssh": [{"action": "check"'))
    equal(status(element), 'Nobody gains or loses access, 1 logs in with another check.')
    equal(texts(element, 'li.loss'), ['carol@example.com keeps tag:web ssh as ubuntu, now behind a check or a stricter one, because line 16 changed.'])
  },
  async 'rules that are gone are why everything is open'() {
    const element = await show('{}')
    equal(texts(element, 'li')[0], 'Danger: Opens every port of every machine to everyone in the tailnet. Because line 11 was removed.')
  },
}
