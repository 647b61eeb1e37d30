// What the tests of the command share: policies, tools of `tests/js`, which the project under test lacks, and snapshots.
// Must not live here: tests.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMMAND, file } from '../command.mjs'

/** The folder `tests/js` of the repository, and the repository. */
export const TESTS = process.env.TAILNET_KIT_TESTS
export const REPOSITORY = join(TESTS, '../..')
export const tool = createRequire(join(TESTS, 'package.json'))
export const HERE = dirname(fileURLToPath(import.meta.url))

/**
 * Compares with `snapshots/NAME`, in which VERSION stands for that of the package and ADDRESS for the repository's. `TAILNET_KIT_SNAPSHOTS=write` writes snapshots that are
 * missing or differ: read the difference before you commit it.
 */
export function snapshot(name, actual) {
  const { version } = JSON.parse(readFileSync('node_modules/tailnet-kit/package.json', 'utf8'))
  const text = actual.replaceAll(`"version": "${version}"`, '"version": "VERSION"').replaceAll(/https:[\w./-]*\/blob\/[^/]*\//g, 'ADDRESS:')
  const kept = join(TESTS, 'command/snapshots', name)
  if (process.env.TAILNET_KIT_SNAPSHOTS === 'write') writeFileSync(kept, text)
  assert.ok(existsSync(kept), `no snapshot ${name}`)
  assert.equal(text, readFileSync(kept, 'utf8'), name)
}

/** A policy that the service accepts, one that it refuses, and one whose test fails. */
export const GOOD = `{
	// Who is on call.
	"groups": {"group:ops": ["ann@corp.example"]},
	"tagOwners": {"tag:web": ["group:ops"]},
	"acls": [
		{"action": "accept", "src": ["group:ops"], "dst": ["tag:web:80"]},
	],
}
`
export const BAD = GOOD.replace('"accept"', '"drop"')
export const FAILING = GOOD.replace('"acls"', '"tests": [{"src": "ann@corp.example", "deny": ["tag:web:80"]}],\n\t"acls"')

/** A guard that GOOD keeps. */
export const NEVER = '[{"never": {"from": "*", "to": "tag:web", "ports": "443"}}]'

/** A file with this text. */
export const policy = (text) => file('policy.hujson', text)

/** Runs git in a folder, and returns what it printed. */
export const git = (cwd, ...args) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', '-c', 'init.defaultBranch=main', ...args], { cwd, stdio: 'pipe', encoding: 'utf8' })

/** Starts the command with --watch; `runs` resolves once it waits for changes again, and `said` is what it has printed. */
export function watching(...args) {
  const child = spawn(process.execPath, [COMMAND, ...args, '--watch'])
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text))
  const runs = () =>
    new Promise((resolve) =>
      child.stderr.on('data', function heard(text) {
        if (!String(text).includes('waiting for changes')) return
        child.stderr.off('data', heard)
        resolve()
      }),
    )
  return { child, runs, said: () => out }
}
