// Side by side with other libraries, in Node and in Chromium: prints tables. Must not live here: what is measured (`suites/`).
//
//     npm install && CHROMIUM=/path node run.mjs [--quick] [SUITE...]

import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { inChromium } from './lib/chromium.mjs'
import { FIRST } from './lib/first-answer.mjs'
import { memory } from './lib/memory.mjs'
import { server } from './lib/server.mjs'
import { runSuite } from './lib/suite.mjs'
import { print } from './lib/table.mjs'
import { suites } from './suites/index.mjs'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { quick: { type: 'boolean', default: false } } })
const names = [...Object.keys(suites), 'sandbox', 'start']
const unknown = positionals.find((name) => !names.includes(name))
if (unknown) {
  console.error(`no suite is called \`${unknown}\`; there are ${names.join(', ')}`)
  process.exit(2)
}
const wanted = names.filter((name) => positionals.length === 0 || positionals.includes(name))

const underlined = (text) => console.log(`\n${text}\n${'='.repeat(text.length)}`)

/** One engine: its suites, then its start. */
async function measure(engine, runOne, firstAnswer) {
  for (const name of wanted) {
    if (name === 'start') await start(engine, firstAnswer)
    // A server runs in Node alone.
    else if (name === 'sandbox') engine === 'node' && (await server(values)).forEach(print)
    else (await runOne(name, { engine, quick: values.quick })).forEach(print)
    // Only Node tells how much a process had at most.
    if (name === 'client' && engine === 'node') print(memory(values.quick ? 1_000 : 10_000))
  }
}

async function start(engine, firstAnswer) {
  const rows = []
  for (const [name, { goal: atMost }] of Object.entries(FIRST)) {
    const times = []
    for (let round = 0; round < (values.quick ? 5 : 25); round++) times.push(await firstAnswer(name))
    const results = { 'tailnet-kit': { value: Math.min(...times) } }
    rows.push({ input: name, target: engine === 'node' ? { atMost } : null, results })
  }
  print({ title: 'import to first answer, best of fresh starts: milliseconds', unit: '', columns: ['tailnet-kit'], rows })
}

const first = (name) =>
  `const { firstAnswer } = await import('./lib/first-answer.mjs'); console.log(await firstAnswer('${name}', (entry) => import(\`tailnet-kit/\${entry}\`)))`
const inNode = (name) => Number(execFileSync(process.execPath, ['--input-type=module', '-e', first(name)], { cwd: import.meta.dirname }))

underlined(`Node ${process.version}`)
await measure('node', (name, options) => runSuite(suites[name], options), inNode)
await inChromium(async ({ version, suite, firstAnswer }) => {
  underlined(`Chromium ${version}`)
  await measure('chromium', suite, firstAnswer)
})
