#!/usr/bin/env node
// Runs the command of a release's packed file, for hooks and any other CI: it is downloaded once, taken by its checksum only, and kept, so that later
// runs need no network. TAILNET_KIT_PACKED names a packed file that is here already, TAILNET_KIT_CACHE the folder it is kept in. Must not live here:
// what the command does.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const VERSION = '0.1.0'
const ADDRESS = `https://github.com/OWNER/tailnet-kit/releases/download/v${VERSION}/tailnet-kit-${VERSION}.tgz`
/** The SHA-256 of the packed file; `cargo xtask release --packed` writes it here. */
const CHECKSUM = 'unreleased'

const { TAILNET_KIT_PACKED, TAILNET_KIT_CACHE, XDG_CACHE_HOME } = process.env
const kept = join(TAILNET_KIT_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'tailnet-kit'), CHECKSUM)

/** The bytes of the packed file. Rejects, or throws, where it cannot be had. */
async function packed() {
  if (TAILNET_KIT_PACKED) return readFileSync(TAILNET_KIT_PACKED)
  const answer = await fetch(ADDRESS)
  if (!answer.ok) throw new Error(`${ADDRESS}: ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}

/** Unpacks the file beside its place and moves it there, so that what is there is whole. */
async function keep() {
  const bytes = await packed()
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== CHECKSUM) throw new Error(`the packed file of ${VERSION} has the checksum ${found}, not ${CHECKSUM}: it is another file`)
  mkdirSync(join(kept, '..'), { recursive: true })
  const beside = mkdtempSync(`${kept}-`)
  writeFileSync(join(beside, 'packed.tgz'), bytes)
  const { status, error } = spawnSync('tar', ['-xzf', 'packed.tgz'], { cwd: beside, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`tar cannot unpack it${error ? `: ${error.message}` : ''}`)
  try {
    renameSync(beside, kept)
  } catch {
    // Another run was faster.
    rmSync(beside, { recursive: true, force: true })
  }
}

try {
  if (CHECKSUM === 'unreleased') throw new Error('nothing is released yet, so there is no packed file to run')
  const command = join(kept, 'package/bin/tailnet-kit.js')
  if (!existsSync(command)) await keep()
  process.exitCode = spawnSync(process.execPath, [command, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 2
} catch (error) {
  console.error(`tailnet-kit: ${error.message}${error.cause ? `: ${error.cause.message}` : ''}`)
  process.exitCode = 2
}
