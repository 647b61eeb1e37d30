// Compares the declarations of all entries with a contract, name by name; prints what is still to come. Must not live here: the comparison (`types/contract.ts`), that list.

import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPTIONS } from '../checks/types.mjs'
import { beside } from '../lib/beside.mjs'
import { HERE, project, run, tool } from '../lib/project.mjs'
import toCome from '../types/to-come.mjs'

/** Arguments for the parameters of generic types that have no defaults. */
const ARGUMENTS = {
  APIPromise: '<string>',
  Later: '<() => string>',
  NamespaceOf: "<'a.b.c'>",
  Open: "<'a'>",
  Result: '<string>',
  WebhookEventOf: "<'a', { b: string }>",
}

/** Policies as objects are looser there than was decided since: what is sent is closed (`types/uses/policies.ts`), what was read is open. */
const DECIDED = [
  [/^export type AclPolicy = .*$/m, "export type AclPolicy = import('./ours.mjs').AclPolicy\ntype ReadPolicy = import('./ours.mjs').ReadPolicy"],
  [/\b(policy|toJSON\([^)]*\)): AclPolicy\b/g, '$1: ReadPolicy'],
  [/\b(rule|entry|config): unknown\b/g, '$1: any'],
  [/(setOption\(.*value): unknown\b/g, '$1: any'],
]

export default async ({ tarball }) => {
  const contract = beside('contract.d.ts')
  const dir = await project(tarball)
  const pkg = join(dir, 'node_modules/tailnet-kit')
  writeFileSync(join(dir, 'contract.d.mts'), decided(readFileSync(contract, 'utf8')))
  cpSync(join(HERE, 'types/contract.ts'), join(dir, 'check.mts'))
  writeFileSync(join(dir, 'ours.mts'), everyEntry(pkg))
  writeFileSync(join(dir, 'names.mts'), names(pkg, contract))
  const compilerOptions = { ...OPTIONS, module: 'nodenext', noErrorTruncation: true }
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['check.mts'] }))
  await run(dir, tool('tsc'), ['--project', 'tsconfig.json'])
  return toCome.length === 0 ? 'nothing is still to come' : `${toCome.length} names still to come: ${toCome.join(', ')}`
}

const decided = (text) => DECIDED.reduce((now, [from, to]) => now.replace(from, to), text)

/** All entries as one module, but for elements, whose shapes are no part of a contract. Each declares `version` itself, so one of them is named. */
function everyEntry(pkg) {
  const entries = Object.keys(JSON.parse(readFileSync(join(pkg, 'package.json'), 'utf8')).exports).filter(
    (entry) => !/^\.\/(elements|react)(\/|$)|\.(json|wasm)$/.test(entry),
  )
  return [...entries.map((entry) => `export * from 'tailnet-kit${entry.slice(1)}'`), "export { version } from 'tailnet-kit'"].join('\n')
}

/** The types of the contract: as pairs with ours, or listed as absent. */
function names(pkg, contract) {
  const declarations = ['.', 'types'].flatMap((folder) =>
    readdirSync(join(pkg, folder))
      .filter((file) => file.endsWith('.d.cts'))
      .map((file) => join(pkg, folder, file)),
  )
  const ours = new Set(declarations.flatMap(typesIn))
  const theirs = typesIn(contract)
  const pair = (name) => `${name}: [ours.${name}${ARGUMENTS[name] ?? ''}, theirs.${name}${ARGUMENTS[name] ?? ''}]`
  return `import type * as theirs from './contract.mjs'
import type * as ours from './ours.mjs'
export interface Types { ${theirs
    .filter((name) => ours.has(name))
    .map(pair)
    .join('; ')} }
export type AbsentTypes = ${union(theirs.filter((name) => !ours.has(name)))}
export type Listed = ${union(toCome)}
`
}

const typesIn = (file) => [...readFileSync(file, 'utf8').matchAll(/^export (?:declare )?(?:interface|type|class) (\w+)/gm)].map(([, name]) => name)
const union = (names) => names.map((name) => JSON.stringify(name)).join(' | ') || 'never'
