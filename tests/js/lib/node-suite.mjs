// Runs a folder of `node --test` files against the installed tarball; `TAILNET_KIT_TESTS` is the path of `tests/js`, with its tools,
// `TAILNET_KIT_TARBALL` that of the tarball.
// Must not live here: the tests.

import { cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { HERE, project, run } from './project.mjs'

/** A row of the folder's files, or only those that `only` names; `atATime` of them run beside each other. */
export const nodeSuite =
  (name) =>
  async ({ tarball, only = [], atATime }) => {
    const from = join(HERE, name)
    const all = existsSync(from) ? readdirSync(from).filter((file) => file.endsWith('.test.mjs')) : []
    const files = only.length > 0 ? only.map((file) => `${file}.test.mjs`) : all
    const absent = files.length === 0 ? '*.test.mjs' : files.find((file) => !all.includes(file))
    if (absent) throw new Error(`tests/js/${name} has no ${absent}`)
    const dir = await project(tarball)
    cpSync(from, join(dir, name), { recursive: true })
    const said = await run(
      dir,
      process.execPath,
      ['--test', `--test-concurrency=${atATime}`, '--test-reporter=tap', ...files.map((file) => join(name, file))],
      {
        ok: [0, 1],
        env: { TAILNET_KIT_TESTS: HERE, TAILNET_KIT_TARBALL: tarball },
      },
    )
    if (!/^# fail 0$/m.test(said)) throw new Error(faults(said))
    // The figures that tests measured.
    const figures = [...said.matchAll(/^ *# (.* ms .*)$/gm)].map(([, figure]) => `\n       ${figure}`)
    const skipped = [...said.matchAll(/^ *ok \d+ - (.*?) # SKIP\b *(.*)$/gm)].map(([, test, why]) => `\n       not run: ${test}: ${why || 'not here'}`)
    return `${said.match(/^# pass (\d+)/m)?.[1]} tests${skipped.length > 0 ? `, ${skipped.length} not run` : ''}${[...skipped, ...figures].join('')}`
  }

/** The tests that failed, each with the beginning of what is said of it; the end of all where none is named. */
function faults(said) {
  const failed = said.match(/^ *not ok \d+ - .*(?:\n(?! *(?:not )?ok \d).*){0,20}/gm)
  return failed?.join('\n') ?? said.slice(-3000)
}
