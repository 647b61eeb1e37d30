// All declarations, each once, and the names of every entry as one report, `pkg/api.md`: so a review sees each change of what the package
// promises. With BLESS=1 a run writes it. Must not live here: whether a change is right.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor'
import { HERE, folder, run } from '../lib/project.mjs'
import { OPTIONS } from './types.mjs'

const REPORT = join(HERE, '../../pkg/api.md')

export default async ({ tarball }) => {
  // Not installed: API Extractor takes what is in `node_modules` for foreign.
  const pkg = folder()
  await run(pkg, 'tar', ['-xzf', tarball, '--strip-components=1'])
  const now = extract(pkg)
  if (process.env.BLESS) writeFileSync(REPORT, now)
  const reviewed = readFileSync(REPORT, 'utf8')
  if (now !== reviewed) {
    writeFileSync(join(pkg, 'api.md'), now)
    const changes = await run(pkg, 'git', ['diff', '--no-index', '--unified=0', REPORT, 'api.md'], { ok: [0, 1] })
    throw new Error(`the declarations are not those of pkg/api.md; if that is meant, write it anew: BLESS=1 node run.mjs --tarball FILE api\n${changes}`)
  }
  return `${[...now.matchAll(/^\/\/ @public$/gm)].length} declarations`
}

/** API Extractor's report on a module that has each entry as a namespace. */
function extract(pkg) {
  const entries = ['', 'elements/', 'react/'].flatMap((place) =>
    readdirSync(join(pkg, place))
      .filter((file) => file.endsWith('.d.ts'))
      .map((file) => place + file.slice(0, -'.d.ts'.length)),
  )
  const main = join(pkg, 'every.d.ts')
  writeFileSync(main, entries.map((entry) => `export * as ${entry.replace('/', '_')}_entry from './${entry}.js'\n`).join(''))
  const reports = join(pkg, 'report')
  mkdirSync(reports)
  const quiet = { default: { logLevel: 'none' } }
  const configObject = {
    projectFolder: pkg,
    mainEntryPointFilePath: main,
    compiler: { overrideTsconfig: { compilerOptions: { ...OPTIONS, module: 'nodenext' }, files: [main] } },
    apiReport: { enabled: true, reportFileName: 'every.api.md', reportFolder: reports, reportTempFolder: reports },
    docModel: { enabled: false },
    dtsRollup: { enabled: false },
    tsdocMetadata: { enabled: false },
    messages: { extractorMessageReporting: quiet, tsdocMessageReporting: quiet, compilerMessageReporting: { default: { logLevel: 'error' } } },
  }
  const config = ExtractorConfig.prepare({ configObject, configObjectFullPath: undefined, packageJsonFullPath: join(pkg, 'package.json') })
  const faults = []
  const messageCallback = (message) => {
    if (message.logLevel === 'error') faults.push(message.text)
    message.handled = true
  }
  Extractor.invoke(config, { localBuild: true, messageCallback })
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return readFileSync(join(reports, 'every.api.md'), 'utf8').replaceAll('\r\n', '\n')
}
