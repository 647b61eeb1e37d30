// The program of Node for the entry with one wasm file, and for the entries of one part each: runs the cases, prints their outcomes.

import * as all from 'tailnet-kit/all'
import * as language from 'tailnet-kit/language'
import * as sandbox from 'tailnet-kit/sandbox'
import { createRequire } from 'node:module'
import { equal } from './cases/assert.mjs'
import { run, runCases } from './cases/index.mjs'

const require = createRequire(import.meta.url)
const PARTS = {
  cidr: ['cidr', 'dns', 'routes'],
  hujson: ['hujson'],
  policy: ['policy'],
  client: ['TailnetClient'],
}
const kit = await import('tailnet-kit')

const parts = Object.entries(PARTS).flatMap(([entry, names]) =>
  ['import', 'require'].map((how) => [
    `${entry} by ${how} has its own names`,
    async () => {
      const part = how === 'import' ? await import(`tailnet-kit/${entry}`) : require(`tailnet-kit/${entry}`)
      equal(
        names.filter((name) => part[name] === undefined),
        [],
      )
      equal([part.version, typeof part.isTailnetError], [kit.version, 'function'])
      if (how === 'import')
        equal(
          names.filter((name) => part[name] !== kit[name]),
          [],
        )
    },
  ]),
)
const outcomes = await run(parts)
console.log(JSON.stringify([...outcomes, ...(await runCases({ kit: all, sandbox, gateway: all, language, runtime: 'node', baseURL: process.argv[2] }))]))
