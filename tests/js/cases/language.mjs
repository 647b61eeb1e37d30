// The entry `tailnet-kit/language`: each verb once, and how offsets are counted. Must not live here: which answers there are where,
// which is tested natively (tests/policy/service/complete.rs and its neighbours).

import { equal, fails, ok } from './assert.mjs'

const TEXT = `{
  // 😀 who may
  "groups": {"group:dev": ["ann@example.com"]},
  "tagOwners": {"tag:db": []},
  "acls": [{"action": "accept", "src": ["group:dev"], "dst": ["tag:db:22"]}],
  "tests": [{"src": "ann@example.com", "accept": ["tag:db:22"]}],
}
`
const CONTEXT = { devices: [{ id: '1', name: 'store.example.ts.net', tags: ['tag:db'], addresses: ['100.64.0.1'] }], users: [{ loginName: 'ann@example.com' }] }

const cut = ({ from, to }) => TEXT.slice(from, to)

export const cases = ({ language: { language } }) => [
  [
    'language: offsets count UTF-16 units',
    () => {
      const at = TEXT.indexOf('group:dev"], "dst"') + 3
      equal(cut(language.definition(TEXT, at)), 'group:dev')
      equal(
        language.references(TEXT, at).map((place) => [cut(place), place.definition, place.pointer]),
        [
          ['group:dev', true, '/groups/group:dev'],
          ['group:dev', false, '/acls/0/src/0'],
        ],
      )
      equal(
        language
          .tokens(TEXT)
          .filter((token) => token.definition)
          .map(cut),
        ['group:dev', 'tag:db'],
      )
      equal(language.selection(TEXT, at).slice(0, 2).map(cut), ['group:dev', '"group:dev"'])
      equal(language.folding(TEXT), [])
      equal(
        language.symbols(TEXT).map((symbol) => [symbol.name, symbol.children.length, cut(symbol.selection)]),
        [
          ['groups', 1, '"groups"'],
          ['tagOwners', 1, '"tagOwners"'],
          ['acls', 1, '"acls"'],
          ['tests', 1, '"tests"'],
        ],
      )
    },
  ],
  [
    'language: a name is renamed',
    async () => {
      const at = TEXT.indexOf('tag:db:22')
      const place = language.renameable(TEXT, at)
      equal([cut(place), place.name, place.kind], ['tag:db', 'tag:db', 'tag'])
      equal(
        language.rename(TEXT, at, 'tag:store').map((edit) => [cut(edit), edit.insert]),
        [
          ['tag:db', 'tag:store'],
          ['tag:db', 'tag:store'],
          ['tag:db', 'tag:store'],
        ],
      )
      await fails(() => language.rename(TEXT, at, 'tag:1'), { code: 'invalid_argument', message: /not a valid tag/ })
      equal(language.renameable(TEXT, 0), null)
    },
  ],
  [
    'language: completion, hover and inlays know the context',
    () => {
      const text = TEXT.replace('"group:dev"], "dst"', '""], "dst"')
      const at = text.indexOf('""], "dst"') + 1
      const { from, to, items } = language.complete(text, at, CONTEXT)
      equal([from, to], [at, at])
      ok(
        ['group:dev', 'tag:db', 'ann@example.com', '100.64.0.1'].every((label) => items.some((item) => item.label === label && item.insert === label)),
        JSON.stringify(items),
      )
      const hover = language.hover(TEXT, TEXT.indexOf('tag:db:22') + 1, CONTEXT)
      ok(cut(hover) === 'tag:db' && hover.markdown.includes('store.example.ts.net'), hover.markdown)
      equal(language.hover(TEXT, 0), null)
      const inlays = language.inlay(TEXT, null, CONTEXT)
      ok(
        inlays.some((inlay) => inlay.kind === 'resolves' && inlay.text === '1 device' && TEXT[inlay.at - 1] === '"'),
        JSON.stringify(inlays),
      )
      ok(language.inlay(TEXT).some((inlay) => inlay.kind === 'test' && inlay.text === 'passed'))
    },
  ],
  [
    'language: diagnostics have places and fixes',
    () => {
      const text = TEXT.replace('"tag:db:22"]}],\n  "tests"', '"tag:dv:22"]}],\n  "tests"')
      const [found] = language.diagnostics(text).filter((issue) => issue.code === 'unknown_tag')
      equal([text.slice(found.from, found.to), found.offset, found.length], ['"tag:dv:22"', found.from, found.to - found.from])
      const [first] = found.fixes
      equal([first.preferred, first.fixes, first.kind], [true, 'unknown_tag', 'fix'])
      const fixed = first.edits.reduceRight((edited, { from, to, insert }) => edited.slice(0, from) + insert + edited.slice(to), text)
      equal(fixed, TEXT)
      ok(language.actions(text, found).some((action) => action.title === first.title))
      ok(language.actions(TEXT, { from: TEXT.indexOf('tag:db:22'), to: TEXT.indexOf('tag:db:22') }).some((action) => action.title === 'Write it as a grant'))
    },
  ],
  [
    'language: no text is too broken, and no offset too large',
    async () => {
      for (let end = 0; end < TEXT.length; end += 7) {
        const text = TEXT.slice(0, end)
        for (const verb of ['definition', 'references', 'renameable', 'selection', 'complete', 'hover']) language[verb](text, end + 5)
        for (const verb of ['diagnostics', 'symbols', 'folding', 'tokens', 'inlay']) language[verb](text)
        language.actions(text, { from: 0, to: end })
      }
      await fails(() => language.complete('{}', -1), { code: 'invalid_argument' })
      await fails(() => language.symbols(undefined), { code: 'invalid_argument' })
      await fails(() => language.diagnostics('{}', { devices: 1 }), { code: 'invalid_argument' })
    },
  ],
]
