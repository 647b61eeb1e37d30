// HuJSON as JavaScript sees it: values, positions, what is thrown. Must not live here: the tables of texts
// (tests/hujson/parse.rs), the laws (tests/hujson/verbs.rs).

import { equal, fails, ok } from './assert.mjs'

const SYNTAX = { name: 'HuJSONSyntaxError', code: 'hujson_syntax' }
const nested = (depth) => '['.repeat(depth) + ']'.repeat(depth)

/** Lists and objects nested in this order again and again, each with a value before and after the nested one. */
function mixed(depth, order) {
  let text = '[]'
  for (let level = depth - 2; level >= 0; level--) {
    text = order[level % order.length] === '[' ? `["s", ${text}, [1.5]]` : `{"a": null, "b": ${text}, "c": {}}`
  }
  return text
}

/** Texts to refuse that the table of `same.mjs` cannot contain, with the place and the reason. */
const REFUSED = [
  ['\ufeff{} //\n', 1, 1, 0, "invalid character '\\ufeff' at start of value"],
  ['{"é": "\ud800"}', 1, 9, 7, 'invalid UTF-8 in string'],
  ['[1] // \udc00\n', 1, 5, 4, 'invalid UTF-8 in comment'],
  [nested(513), 1, 513, 512, 'nested deeper than 512 levels'],
  [`//\n${nested(100_000)}`, 2, 513, 515, 'nested deeper than 512 levels'],
]

export const cases = ({ kit: { hujson } }) => [
  [
    'hujson.parse: comments, trailing commas and plain JSON',
    () => {
      equal(hujson.parse('{"a": [1, 2,], // one\n /* two */ "b": null,}'), { a: [1, 2], b: null })
      equal(hujson.parse('{"a": ["//", "/*", ",]"]}'), { a: ['//', '/*', ',]'] })
      equal(hujson.parse('["é😀\\n",] // ü\n'), ['é😀\n'])
      equal(hujson.parse('["é", /* ü */ "ÿ",] // ö\n'), ['é', 'ÿ'])
      // UTF-16 units with a byte that equals a bracket, quote or comma.
      equal(hujson.parse('["⼯∢", /*⼪*/ "⬜鈢",] //≜\n'), ['⼯∢', '⬜鈢'])
      equal(hujson.parse('{"url": "https://example.com/", "a": [1, 2]}'), { url: 'https://example.com/', a: [1, 2] })
      equal(hujson.parse(`${nested(512)} //\n`), JSON.parse(nested(512)))
      equal(hujson.parse(nested(512)), JSON.parse(nested(512)))
    },
  ],
  [
    'hujson.parse: plain JSON may be as deep as HuJSON, in any order of lists and objects',
    async () => {
      for (const order of ['[', '{', '[{', '[[{', '[{{', '[{[{{']) {
        const deepest = mixed(512, order)
        equal(hujson.parse(deepest), JSON.parse(deepest))
        const { issue } = await fails(() => hujson.parse(mixed(513, order)), SYNTAX)
        equal(issue.message.endsWith('nested deeper than 512 levels'), true)
        const inside = (depth) => `{"a": 1, "b": [true, ${mixed(depth, order)}, "c"]}`
        equal(hujson.parse(inside(510)), JSON.parse(inside(510)))
        await fails(() => hujson.parse(inside(511)), SYNTAX)
      }
    },
  ],
  [
    'hujson.parse: values are those of JSON.parse',
    () => {
      for (const comment of ['', '//\n']) {
        equal(hujson.parse(`{"a": 1, "a": 2} ${comment}`), { a: 2 })
        equal(hujson.parse(`[1e999, "\\ud800"] ${comment}`), [Infinity, '\ud800'])
        equal(Object.keys(hujson.parse(`{"__proto__": {"x": 1}} ${comment}`)), ['__proto__'])
      }
    },
  ],
  [
    'hujson.parse: a refusal has the words and the place of the reference',
    async () => {
      for (const [text, line, column, offset, reason] of REFUSED) {
        const { message, issue } = await fails(() => hujson.parse(text), SYNTAX)
        equal(message, `hujson: line ${line}, column ${column}: ${reason}`)
        equal([issue.message, issue.line, issue.column, issue.offset, issue.severity], [reason, line, column, offset, 'error'])
        equal(hujson.tryParse(text), { ok: false, issues: [issue] })
        equal(hujson.isStandard(text), false)
      }
      equal((await fails(() => hujson.parse("['a']"), SYNTAX)).issue.hint, 'single quotes: HuJSON wants double quotes')
      await fails(() => hujson.parse(7), { name: 'InvalidArgumentError', code: 'invalid_argument' })
    },
  ],
  [
    'hujson.tryParse: repeated names are warned of with both places',
    () => {
      const { ok: accepted, value, issues } = hujson.tryParse('{"é": 1,\n "é": 2}')
      equal([accepted, value], [true, { é: 2 }])
      equal(issues, [
        {
          severity: 'warning',
          code: 'duplicate_key',
          message: 'duplicate name `é`, first at line 1, column 2',
          hint: 'the last one counts: remove the others',
          origin: 'ours',
          pointer: '/é',
          line: 2,
          column: 2,
          offset: 10,
          length: 3,
        },
      ])
    },
  ],
  [
    'hujson.standardize, minimize, isStandard',
    () => {
      equal(hujson.standardize('[1, /*é*/]//\n'), '[1        ]  \n')
      equal(hujson.standardize('\r\n[1 ]'), '\r\n[1 ]')
      equal(hujson.minimize('[1, {"a" : 1.50,},] //\n'), '[1,{"a":1.50}]')
      equal(hujson.minimize('["🚀接続", /* ключ */ "üߌ￿\u{10ffff}",]'), '["🚀接続","üߌ￿\u{10ffff}"]')
      equal([hujson.isStandard('[1]'), hujson.isStandard('[1,]'), hujson.isStandard('[')], [true, false, false])
    },
  ],
  [
    'hujson.format and stringify',
    () => {
      equal(hujson.format('{"a":1, // x\n"bc":2}'), '{\n\t"a":  1, // x\n\t"bc": 2,\n}\n')
      equal(hujson.stringify({ a: [1, { b: 'é' }] }), '{"a": [1, {"b": "é"}]}\n')
    },
  ],
  [
    'hujson: values that are not plain data are refused',
    async () => {
      const cyclic = []
      cyclic.push(cyclic)
      for (const value of [cyclic, 1n, undefined, Symbol.iterator, () => 1, Promise.resolve({}), new Map([[1, 2]]), new Uint8Array(1)]) {
        await fails(() => hujson.stringify(value), { name: 'InvalidArgumentError', code: 'invalid_argument' })
      }
      for (const value of [cyclic, [1n]]) await fails(() => hujson.patch('[]', value), { code: 'invalid_argument', message: /^[^\n]+$/ })
      const nestedValue = JSON.parse(nested(512))
      equal(hujson.parse(hujson.stringify(nestedValue)), nestedValue)
      await fails(() => hujson.stringify([nestedValue]), { code: 'invalid_argument', message: 'nested deeper than 512 levels' })
      equal(hujson.stringify(new Date(0)), '"1970-01-01T00:00:00.000Z"\n')
      // As JSON.stringify writes them.
      equal(hujson.stringify({ a: undefined, b: [NaN, () => 1] }), '{"b": [null, null]}\n')
    },
  ],
  [
    'hujson.find and pointerAt',
    () => {
      const text = '{"é": [1, {"x/y": /**/ [2,]}]}'
      equal(hujson.find(text, '/é/1/x~1y'), { value: [2], line: 1, column: 25, offset: 23, length: 4 })
      equal([hujson.find(text, '/é/2'), hujson.find(text, 'é'), hujson.find(text, '/~2')], [null, null, null])
      for (const odd of [null, undefined, 7, [], {}]) equal(hujson.find(text, odd), null)
      for (const odd of [-1, NaN, Infinity, 2 ** 32 + 2, 7n, Symbol.iterator, undefined]) equal(hujson.pointerAt(text, odd), '')
      equal(
        [23, 6, 20, 1, 99].map((offset) => hujson.pointerAt(text, offset)),
        ['/é/1/x~1y', '/é', '/é/1', '/é', ''],
      )
    },
  ],
  [
    'hujson.patch keeps what it does not touch',
    async () => {
      const text = '{\n  "a": 1, // one\n  "b": [2],\n}\n'
      equal(
        hujson.patch(text, [
          { op: 'add', path: '/b/-', value: 3 },
          { op: 'test', path: '/a', value: 1 },
        ]),
        text.replace('[2]', '[2, 3]'),
      )
      const { operation } = await fails(
        () =>
          hujson.patch(text, [
            { op: 'remove', path: '/a' },
            { op: 'remove', path: '/c' },
          ]),
        { name: 'JSONPatchError', code: 'json_patch' },
      )
      equal(operation, 1)
      equal(hujson.patch('{\r\n\t"a": 1, // é\r\n}', [{ op: 'add', path: '/b', value: 2 }]), '{\r\n\t"a": 1, // é\r\n\t"b": 2,\r\n}')
      await fails(() => hujson.patch('{', []), SYNTAX)
      // A value read from a text equals the value in the text.
      const long = '[12345678901234567891, 0.1e-400]'
      equal(
        hujson.patch(
          long,
          hujson.parse(long).map((value, at) => ({ op: 'test', path: `/${at}`, value })),
        ),
        long,
      )
      equal(
        hujson.patch('[1]', [
          { op: 'add', path: '/-', value: 2, from: 'no pointer', note: 1 },
          { op: 'remove', path: '/0', from: 7 },
        ]),
        '[2]',
      )
    },
  ],
  [
    'hujson.patch: a value whose toJSON calls the kit',
    () => {
      const value = { toJSON: () => hujson.parse(`[1, "${'é'.repeat(100)}",] // one\n`) }
      equal(hujson.parse(hujson.patch('{"b": 2}', [{ op: 'add', path: '/a', value }])), { b: 2, a: value.toJSON() })
    },
  ],
  [
    'hujson.patch: copies of copies are refused before they fill the memory',
    async () => {
      const doubled = Array.from({ length: 40 }, () => ({ op: 'copy', from: '/a', path: '/a/-' }))
      const { operation } = await fails(() => hujson.patch('{"a": [1]}', doubled), { code: 'json_patch', message: /more than 32 MiB/ })
      ok(operation > 20 && operation < 40)
      equal(hujson.patch('[1]', [{ op: 'copy', from: '/0', path: '/-' }]), '[1, 1]')
    },
  ],
  [
    'hujson.patch takes a patch that is HuJSON, comments and all',
    async () => {
      const operations = '[{"op": "add", "path": "/b", "value": /* why */ [1, 2,]}] // one\n'
      equal(hujson.patch('{"a": 1}', operations), '{"a": 1, /* why */ "b": [1, 2]}')
      for (const wrong of ['', '{}', '[', '[{"op": "add"}]']) await fails(() => hujson.patch('{"a": 1}', wrong), { code: 'json_patch' })
      await fails(() => hujson.patch('{}', '[] // \ud800\n'), { code: 'invalid_argument' })
    },
  ],
  [
    'hujson.fromJSON5',
    async () => {
      equal(hujson.fromJSON5("{a: 'it\\'s', b: 0x10, /* c */ c: .5}"), '{"a": "it\'s", "b": 16, /* c */ "c": 0.5}\n')
      const { issue } = await fails(() => hujson.fromJSON5('[1,\n NaN]'), SYNTAX)
      equal([issue.line, issue.column, issue.offset, issue.length], [2, 2, 5, 3])
      const stray = await fails(() => hujson.fromJSON5("{é: '\ud800'}"), SYNTAX)
      equal([stray.issue.message, stray.issue.offset, stray.issue.length], ['invalid UTF-8 in string', 5, 1])
    },
  ],
  [
    'hujson: a long text that is not ASCII goes in and out whole',
    () => {
      const value = Array.from({ length: 2000 }, (_, i) => ({ i, name: `é😀${'x'.repeat(i % 70)}` }))
      const text = JSON.stringify(value).replaceAll('},{', '}, // ü "\n{')
      equal(hujson.parse(text), value)
      equal(JSON.parse(hujson.standardize(text)), value)
      ok(hujson.parse(hujson.format(text)).length === value.length)
      const plain = JSON.stringify(value)
      equal([hujson.parse(`${plain}//\n`), hujson.parse(plain)], [value, value])
      equal(hujson.parse('[1,]'), [1])
      // The package cuts long texts: each byte of a character comes to lie at a cut.
      for (let pad = 0; pad < 6; pad++) {
        const text = `"${'x'.repeat(pad)}${'é😀'.repeat(20_000)}"`
        equal(hujson.standardize(`${text}//\n`), `${text}  \n`)
      }
    },
  ],
]
