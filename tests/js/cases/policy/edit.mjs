// Edits of a policy that keep its comments. Must not live here: what a policy means.

import { equal, fails, ok } from '../assert.mjs'
import { TEXT } from './documents.mjs'

export const cases = ({ kit: { hujson, policy } }) => [
  [
    'policy.edit changes entries of every list, and comments them out and back',
    () => {
      const { edit } = policy
      const text = '{\n\t"tests": [\n\t\t{"src": "é@example.com"}, // é\n\t\t{"src": "b@example.com"}\n\t]\n}\n'
      const off = edit.disable(text, 'tests', 0)
      equal(off, text.replace('{"src": "é', '// {"src": "é'))
      const [place] = edit.disabled(off)
      equal(place, { section: 'tests', line: 3, offset: 16, length: 33 })
      equal(edit.enable(off, place.offset), text)
      equal(
        hujson.parse(edit.move(text, 'tests', 0, 1)).tests.map(({ src }) => src),
        ['b@example.com', 'é@example.com'],
      )
      equal(edit.replace(text, 'tests', 1, { src: 'c@example.com' }), text.replace('b@', 'c@'))
      equal(hujson.parse(edit.remove(text, 'tests', 0)).tests.length, 1)
      equal(hujson.parse(edit.add('{}', 'nodeAttrs', { target: ['*'] })).nodeAttrs, [{ target: ['*'] }])
    },
  ],
  [
    'policy.edit sets tag owners, ipsets, postures and other named values',
    () => {
      const { edit } = policy
      const parse = (text) => hujson.parse(text)
      equal(parse(edit.setTagOwners('{}', 'web', ['group:ops'])), { tagOwners: { 'tag:web': ['group:ops'] } })
      equal(parse(edit.setIpset('{}', 'a', ['add 10.0.0.0/8'])), { ipsets: { 'ipset:a': ['add 10.0.0.0/8'] } })
      equal(parse(edit.setPosture('{}', 'a', ["node:os == 'linux'"])), { postures: { 'posture:a': ["node:os == 'linux'"] } })
      equal(parse(edit.setDefaultSrcPosture('{}', ['posture:a'])), { defaultSrcPosture: ['posture:a'] })
      equal(parse(edit.setAutoApprovers('{}', { exitNode: true }, ['tag:exit'])), { autoApprovers: { exitNode: ['tag:exit'] } })
      equal(parse(edit.setAutoApprovers('{}', { route: '10.0.0.0/8' }, ['tag:exit'])), { autoApprovers: { routes: { '10.0.0.0/8': ['tag:exit'] } } })
      equal(parse(edit.setAutoApprovers('{}', { service: 'svc:a' }, ['tag:exit'])), { autoApprovers: { services: { 'svc:a': ['tag:exit'] } } })
      equal(parse(edit.setAttrConfig('{}', 'custom:tier', { type: 'string' })), { attrConfig: { 'custom:tier': { type: 'string' } } })
      equal(parse(edit.setOption(edit.setOption('{}', 'disableIPv4', true), 'disableIPv4', null)), {})
    },
  ],
  [
    'policy.edit.changes and apply turn one text into the other',
    () => {
      const { edit } = policy
      const [before, after] = ['{\n// 😀\n"a": 1,\n"b": 2\n}', '{\n// 😀!\n"a": 1,\n"b": 22,\n"c": 3\n}']
      const edits = edit.changes(before, after)
      equal(edits[0], { from: 7, to: 7, insert: '!' })
      equal(edit.apply(before, edits), after)
      equal(edit.apply(before, [...edits].reverse()), after)
      equal(edit.changes(after, after), [])
    },
  ],
  [
    'policy.edit keeps comments',
    () => {
      const rule = { action: 'accept', src: ['bob@example.com'], dst: ['tag:web:22'] }
      const added = policy.edit.addRule(TEXT, rule)
      equal(hujson.parse(added).acls[1], rule)
      ok(added.includes('// People.') && added.includes('// the first'), added)
      equal(policy.edit.removeRule(added, 1), TEXT)
      equal(hujson.parse(policy.edit.setHost(TEXT, 'box', '10.0.0.1')).hosts, { box: '10.0.0.1' })
      equal(policy.edit.setGroup(TEXT, 'group:none', null), TEXT)
      equal(hujson.parse(policy.edit.setGroup(TEXT, 'group:dev', [])).groups, { 'group:dev': [] })
    },
  ],
  [
    'policy.edit.rename',
    async () => {
      const text = '{"groups": {"group:a": []}, /* group:a */ "acls": [{"action": "accept", "src": ["group:a"], "dst": ["*:*"]}]}'
      equal(policy.edit.rename(text, 'group:a', 'group:b'), text.replaceAll('"group:a"', '"group:b"'))
      await fails(() => policy.edit.rename(text, 'group:c', 'group:b'), { code: 'invalid_argument', message: /no `group:c`/ })
      await fails(() => policy.edit.rename('{', 'group:a', 'group:b'), { code: 'hujson_syntax' })
    },
  ],
]
