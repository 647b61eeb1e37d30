// HuJSON: text to object, text to JSON text, formatting, one edit. Must not live here: the texts themselves.

import { parse as parseComments, stringify as stringifyComments } from 'comment-json'
import JSON5 from 'json5'
import { applyEdits, format, modify, parse as parseJsonc } from 'jsonc-parser'
import stripJsonComments from 'strip-json-comments'
import { hujson } from 'tailnet-kit'
import { devices, policy } from '../lib/policies.mjs'
import { ratio, same } from '../lib/suite.mjs'
import { text, utf8Length } from '../lib/texts.mjs'

const strip = (source) => stripJsonComments(source, { trailingCommas: true })
const jsonc = (source) => parseJsonc(source, [], { allowTrailingComma: true })

export default ({ quick }) => {
  const large = quick ? 500_000 : 5_000_000
  const size = quick ? '500 KB' : '5 MB'
  const inputs = {
    '2 KB': () => text(2_000),
    '100 KB': () => text(100_000),
    [`${size}, many comments`]: () => text(large),
    [`${size}, non-Latin`]: () => text(large, { latin: false }),
    [`${size}, no comments`]: () => text(large, { comments: false }),
    'policy, 10,000 rules': () => policyTwin(),
  }
  const answer = { [`devices of an answer, ${quick ? '400' : '4,000'}`]: () => plain({ devices: devices(quick ? 400 : 4000) }) }
  return [parsing({ ...inputs, ...answer }, size), standardizing(inputs, size), formatting(inputs), editing(inputs)]
}

/** A policy's twin comes from a peer, not from the kit. */
function policyTwin() {
  const source = policy(10_000)
  return { text: source, twin: strip(source) }
}

/** JSON as a server sends it: no comments, no spaces. */
function plain(value) {
  const source = JSON.stringify(value)
  return { text: source, twin: source }
}

const PARSE_TARGETS = (size) => ({
  [`${size}, many comments`]: { node: { atMost: 1.5 }, chromium: { atMost: 2 } },
  [`${size}, no comments`]: { node: { atMost: 1.1 }, chromium: { atMost: 1.1 } },
})

const parsing = (inputs, size) => ({
  title: 'hujson.parse: ratio to JSON.parse of the text with its comments blanked (less is better)',
  unit: 'text to object',
  columns: ['tailnet-kit', 'jsonc-parser', 'strip-json-comments', 'comment-json', 'json5'],
  rows: Object.entries(inputs).map(([input, make]) => ({
    input,
    target: PARSE_TARGETS(size)[input],
    prepare() {
      const { text: source, twin } = make()
      same(hujson.parse(source), JSON.parse(twin), 'hujson.parse')
      return {
        value: ratio,
        candidates: {
          baseline: () => JSON.parse(twin),
          'tailnet-kit': () => hujson.parse(source),
          'jsonc-parser': () => jsonc(source),
          'strip-json-comments': () => JSON.parse(strip(source)),
          'comment-json': () => parseComments(source),
          json5: () => JSON5.parse(source),
        },
      }
    },
  })),
})

/** Milliseconds to MB/s of UTF-8. */
const speed = (source) => {
  const bytes = utf8Length(source)
  return (ms) => bytes / 1000 / ms
}

const standardizing = (inputs, size) => ({
  title: 'hujson.standardize: MB/s (more is better)',
  unit: 'text to JSON text',
  columns: ['tailnet-kit', 'strip-json-comments', 'JSON.parse'],
  rows: Object.entries(inputs).map(([input, make]) => ({
    input,
    target: input === `${size}, many comments` ? { node: { atLeast: 400 }, chromium: { atLeast: 300 } } : undefined,
    prepare() {
      const { text: source, twin } = make()
      same(JSON.parse(hujson.standardize(source)), JSON.parse(twin), 'hujson.standardize')
      const candidates = { 'tailnet-kit': () => hujson.standardize(source), 'strip-json-comments': () => strip(source), 'JSON.parse': () => JSON.parse(twin) }
      return { value: speed(source), candidates }
    },
  })),
})

const formatting = (inputs) => ({
  title: 'hujson.format: MB/s (more is better, and no less for larger texts); jsonc-parser is quadratic and has small texts only',
  unit: 'layout',
  columns: ['tailnet-kit', 'jsonc-parser'],
  rows: Object.entries(inputs).map(([input, make]) => ({
    input,
    target: { node: { atLeast: 100 }, chromium: { atLeast: 100 } },
    prepare() {
      const { text: source } = make()
      same(hujson.format(hujson.format(source)), hujson.format(source), 'hujson.format of its own output')
      const options = { tabSize: 2, insertSpaces: true, eol: '\n' }
      const peer = { 'jsonc-parser': () => applyEdits(source, format(source, undefined, options)) }
      return { value: speed(source), candidates: { 'tailnet-kit': () => hujson.format(source), ...(source.length > 10_000 ? {} : peer) } }
    },
  })),
})

const editing = (inputs) => ({
  title: 'hujson.patch, one member in the middle: MB/s (more is better)',
  unit: 'one edit',
  columns: ['tailnet-kit', 'jsonc-parser', 'comment-json'],
  rows: Object.entries(inputs)
    .filter(([input]) => !input.startsWith('policy'))
    .map(([input, make]) => ({
      input,
      target: input.includes('many comments') ? { node: { atLeast: 200 }, chromium: { atLeast: 200 } } : undefined,
      prepare() {
        const { text: source, twin } = make()
        const index = JSON.parse(twin).length >> 1
        const operations = [{ op: 'replace', path: `/${index}/port`, value: 65_000 }]
        same(hujson.parse(hujson.patch(source, operations))[index].port, 65_000, 'hujson.patch')
        const candidates = {
          'tailnet-kit': () => hujson.patch(source, operations),
          'jsonc-parser': () => applyEdits(source, modify(source, [index, 'port'], 65_000, {})),
          'comment-json': () => {
            const tree = parseComments(source)
            tree[index].port = 65_000
            return stringifyComments(tree, null, 2)
          },
        }
        return { value: speed(source), candidates }
      },
    })),
})
