// Prefixes, routes and DNS entries as JavaScript sees them: shapes, options, what is thrown. Must not live here: the
// tables of texts (tests/cidr/prefix.rs).

import { equal, fails } from './assert.mjs'

const INVALID = { name: 'InvalidArgumentError', code: 'invalid_argument' }

export const cases = ({ kit: { cidr, dns, routes } }) => [
  [
    'cidr.check: an accepted prefix is canonical',
    () => {
      equal(cidr.check('10.0.0.0/8'), { ok: true, cidr: '10.0.0.0/8', version: 4 })
      equal(cidr.check('2001:DB8:0:0::/32'), { ok: true, cidr: '2001:db8::/32', version: 6 })
    },
  ],
  [
    'cidr.check: a refusal has a code, a message and perhaps a suggestion',
    () => {
      const { message, ...rest } = cidr.check('10.1.2.3/8')
      equal([rest, typeof message], [{ ok: false, code: 'host_bits', suggestion: '10.0.0.0/8' }, 'string'])
      equal(Object.keys(cidr.check('10.0.0.0/08')).sort(), ['code', 'message', 'ok'])
      equal(cidr.check('10.1.2.3').suggestion, '10.1.2.3/32')
      equal(cidr.check('::ffff:10.0.0.0/104').suggestion, '10.0.0.0/8')
    },
  ],
  [
    'cidr.check: options',
    () => {
      equal(cidr.check('10.1.2.3/8', { hostBits: 'mask' }).cidr, '10.0.0.0/8')
      equal(cidr.check('::1', { bareAddress: 'host' }).cidr, '::1/128')
      equal(cidr.check('::ffff:10.0.0.0/104', { ipv4Mapped: 'unwrap' }), { ok: true, cidr: '10.0.0.0/8', version: 4 })
      equal(cidr.check('::ffff:10.0.0.0/104', { ipv4Mapped: 'keep' }), { ok: true, cidr: '::ffff:10.0.0.0/104', version: 6 })
      equal(cidr.check('::ffff:0:0/95', { ipv4Mapped: 'unwrap' }).code, 'ipv4_mapped')
      equal(cidr.check('10.0.0.0/8', { hostBits: undefined }).ok, true)
    },
  ],
  [
    'cidr.check: every text gets an answer',
    () => {
      for (const text of [
        '',
        '\n',
        'a\tb\nc',
        '\0',
        '\ud800',
        '😀/8',
        undefined,
        null,
        8,
        {},
        ['10.0.0.0/8'],
        { toString: () => '10.0.0.0/8' },
        Symbol.iterator,
        1n,
      ])
        equal(cidr.check(text).ok, false)
      equal(
        [null, undefined, 8].map((text) => cidr.check(text).message.split(':')[0]),
        ['`null`', '`undefined`', '`number`'],
      )
    },
  ],
  [
    'cidr.checkMany: answers in the order of the texts, line feeds and all',
    () => {
      const texts = ['10.0.0.0/8', 'x\ny', '', '::/0', '10.0.0.0/8\n', '\ud800', '1.1.1.1']
      equal(
        cidr.checkMany(texts),
        texts.map((text) => cidr.check(text)),
      )
      equal(
        cidr.checkMany(['::/0', '', '0.0.0.0/0']).map(({ ok }) => ok),
        [true, false, true],
      )
      equal(cidr.checkMany([]), [])
      equal(cidr.checkMany(['1.1.1.1'], { bareAddress: 'host' }), [{ ok: true, cidr: '1.1.1.1/32', version: 4 }])
    },
  ],
  [
    'cidr.checkMany: 100,000 texts',
    () => {
      const texts = Array.from({ length: 100_000 }, (_, n) => `10.${(n >> 8) & 255}.${n & 255}.0/24`)
      equal(
        cidr.checkMany(texts).every((answer, n) => answer.ok && answer.cidr === texts[n]),
        true,
      )
    },
  ],
  [
    'cidr.checkMany: a long list as one text after the other',
    () => {
      const texts = Array.from(
        { length: 4_999 },
        (_, n) =>
          [
            `10.${n & 255}.0.0/16`,
            `10.0.0.${n & 255}/24`,
            `2001:db8::${n.toString(16)}/128`,
            `2001:DB8:0:${n.toString(16)}::/64`,
            `::ffff:1.2.3.${n & 255}/128`,
            `10.${n}.0.0/16`,
            n > 4_000 ? `a\nb${n}` : `host${n}`,
          ][n % 7],
      )
      for (const hostBits of ['mask', 'error'])
        equal(
          cidr.checkMany(texts, { hostBits }),
          texts.map((text) => cidr.check(text, { hostBits })),
        )
    },
  ],
  [
    'cidr.normalize masks host bits and takes the other options',
    () => {
      equal(cidr.normalize('10.1.2.3/8'), '10.0.0.0/8')
      equal(cidr.normalize('10.1.2.3', { bareAddress: 'host' }), '10.1.2.3/32')
      return fails(() => cidr.normalize('10.1.2.3'), { ...INVALID, message: /write `10\.1\.2\.3\/32`/ })
    },
  ],
  [
    'cidr.contains and cidr.overlaps',
    () => {
      equal(cidr.contains('10.0.0.0/8', '10.1.2.3/16'), true)
      equal(cidr.contains('10.1.0.0/16', '10.0.0.0/8'), false)
      equal(cidr.contains('::/0', '0.0.0.0/0'), false)
      equal(cidr.overlaps('10.1.0.0/16', '10.0.0.0/8'), true)
      equal(cidr.overlaps('10.0.0.0/9', '10.128.0.0/9'), false)
    },
  ],
  [
    'cidr.merge, cidr.exclude and cidr.sameSet',
    () => {
      equal(cidr.merge(['8000::/1', '10.128.0.0/9', '10.0.0.1/9', '::/1', '10.3.0.0/16']), ['10.0.0.0/8', '::/0'])
      equal(cidr.merge([]), [])
      equal(cidr.exclude(['10.0.0.0/8', '::/0'], ['10.0.0.0/10', '::/0']), ['10.64.0.0/10', '10.128.0.0/9'])
      equal(cidr.exclude(['0.0.0.0/0'], ['0.0.0.0/0', '::/0']), [])
      equal(cidr.sameSet(['0.0.0.0/0'], ['128.0.0.0/1', '0.0.0.0/1']), true)
      equal(cidr.sameSet(['0.0.0.0/0'], ['0.0.0.0/0', '::/128']), false)
      equal(cidr.sameSet([], []), true)
    },
  ],
  [
    'malformed arguments are invalid_argument',
    async () => {
      const cyclic = []
      cyclic.push(cyclic)
      for (const body of [
        () => cidr.normalize('10.0.0.0/33'),
        () => cidr.normalize(8),
        () => cidr.normalize(),
        () => cidr.contains('10.0.0.0/8', 'x'),
        () => cidr.overlaps('10.0.0.0/8'),
        () => cidr.merge('10.0.0.0/8'),
        () => cidr.merge(['10.0.0.0/8', null]),
        () => cidr.merge(cyclic),
        () => cidr.merge([1n]),
        () => cidr.exclude(['::/0']),
        () => cidr.sameSet(['::/0'], ['\ud800']),
        () => cidr.check('::/0', { hostBits: 'maybe' }),
        () => cidr.check('::/0', { hostbits: 'mask' }),
        () => cidr.checkMany('::/0'),
        () => routes.summarize({}),
        () => routes.summarize({ advertisedRoutes: ['10.0.0.0'], enabledRoutes: [] }),
        () => dns.checkNameserver(8),
        () => dns.checkSearchPath(),
      ]) {
        const { message } = await fails(body, INVALID)
        equal([message.includes('expected struct'), / line \d/.test(message)], [false, false])
      }
    },
  ],
  [
    'routes.summarize',
    () => {
      equal(routes.summarize({ advertisedRoutes: ['::/0', '10.1.0.0/16', '10.0.0.0/8'], enabledRoutes: ['fd00::/8', '10.0.0.0/8'] }), {
        active: ['10.0.0.0/8'],
        pending: ['10.1.0.0/16', '::/0'],
        enabledOnly: ['fd00::/8'],
        exitNode: 'no',
        overlaps: [
          ['10.0.0.0/8', '10.1.0.0/16'],
          ['::/0', 'fd00::/8'],
        ],
      })
      const both = ['0.0.0.0/0', '::/0']
      const exitNode = (enabledRoutes) => routes.summarize({ advertisedRoutes: both, enabledRoutes }).exitNode
      equal([exitNode([]), exitNode(['::/0']), exitNode(both)], ['no', 'half', 'yes'])
    },
  ],
  [
    'dns.checkNameserver',
    () => {
      equal([dns.checkNameserver('1.1.1.1'), dns.checkNameserver('2606:4700::1111')], [[], []])
      const [{ message, ...issue }] = dns.checkNameserver('1.1.1.1:53')
      equal(issue, { severity: 'error', code: 'port', hint: 'write `1.1.1.1`', origin: 'ours', line: 1, column: 1, offset: 0, length: 10 })
      equal(
        dns.checkNameserver('127.0.0.1').map(({ severity }) => severity),
        ['warning'],
      )
    },
  ],
  [
    'dns.checkSearchPath marks the faulty place',
    () => {
      equal([dns.checkSearchPath('corp.example.com'), dns.checkSearchPath('corp.example.com.')], [[], []])
      const places = dns.checkSearchPath('ä.-x.com').map(({ code, line, column, offset, length }) => [code, line, column, offset, length])
      equal(places, [
        ['not_ascii', 1, 1, 0, 1],
        ['hyphen', 1, 4, 2, 2],
      ])
    },
  ],
]
