// What the package carries of others, from Cargo.lock and package.json: `NOTICES`, their licences, and `sbom.cdx.json`, their names and versions in
// the form of CycloneDX. Must not live here: which licences are accepted (`deny.toml`), whether something is vulnerable (`cargo xtask release`).

import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PKG = join(dirname(fileURLToPath(import.meta.url)), '..')
const ROOT = join(PKG, '..')
const WASM = 'wasm32-unknown-unknown'

/** npm packages that `bin/vendor` and `elements/vendor` have pieces of. */
const VENDORED = [
  'diff',
  'vscode-jsonrpc',
  'vscode-languageserver',
  'vscode-languageserver-protocol',
  'vscode-languageserver-textdocument',
  'vscode-languageserver-types',
]

const cargo = (...args) => execFileSync('cargo', [...args, '--locked'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 << 20 })

/** The files of a folder that say its licence: of several that one may choose from the shortest, MIT's. */
function licenceIn(folder) {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|unlicense|copying)/i.test(file))
  const chosen = files.find((file) => /mit/i.test(file)) ?? files.find((file) => /apache/i.test(file)) ?? files[0]
  return chosen && readFileSync(join(folder, chosen), 'utf8').replaceAll('\r\n', '\n').trim()
}

/** The crates that are compiled into the wasm. */
function crates() {
  const { packages } = JSON.parse(cargo('metadata', '--format-version', '1', '--filter-platform', WASM))
  const tree = ['tree', '--package', 'tailnet-kit-wasm', '--target', WASM, '--edges', 'normal,no-proc-macro']
  const names = new Set(
    cargo(...tree, '--prefix', 'none', '--format', '{p}')
      .split('\n')
      .map((line) => line.split(' ').slice(0, 2).join(' ')),
  )
  return packages
    .filter(({ name, version, source }) => source && names.has(`${name} v${version}`))
    .map(({ name, version, license, repository, manifest_path: file }) => ({
      kind: 'cargo',
      name,
      version,
      license,
      url: repository,
      text: licenceIn(dirname(file)),
    }))
}

function modules() {
  return VENDORED.map((name) => {
    const folder = join(PKG, 'node_modules', name)
    const { version, license, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { kind: 'npm', name, version, license, url: repository?.url ?? repository, text: licenceIn(folder) }
  })
}

const BEGIN = `tailnet-kit carries code of others: these crates, compiled into its wasm files, the standard library of Rust (MIT OR Apache-2.0,
https://github.com/rust-lang/rust), and pieces of these npm packages, which its command uses. Each is followed by its licence, which several may share.
`

function notices(all) {
  return [...grouped(all)]
    .map(([text, its]) =>
      [...its.map(({ name, version, license, url }) => `${name} ${version} (${license}) ${url ?? ''}`.trim()), '', text ?? 'It has no text of its own.'].join(
        '\n',
      ),
    )
    .reduce((written, part) => `${written}\n${'-'.repeat(80)}\n\n${part}\n`, BEGIN)
}

/** By the text of the licence. */
function grouped(all) {
  const texts = new Map()
  for (const one of all) texts.set(one.text, [...(texts.get(one.text) ?? []), one])
  return texts
}

const component = ({ kind, name, version, license }) => {
  const purl = `pkg:${kind}/${name}@${version}`
  // SPDX has no slash between two licences.
  return { type: 'library', 'bom-ref': purl, name, version, purl, licenses: [{ expression: license.replaceAll('/', ' OR ') }] }
}

function bom(all, version) {
  const purl = `pkg:npm/tailnet-kit@${version}`
  const own = { type: 'library', 'bom-ref': purl, name: 'tailnet-kit', version, purl, licenses: [{ expression: 'MIT OR Apache-2.0' }] }
  return { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { component: own }, components: all.map(component) }
}

/** Writes both. */
export function writeSupply(version) {
  const byName = (one, other) => (one.name < other.name ? -1 : 1)
  const all = [...crates().sort(byName), ...modules().sort(byName)]
  writeFileSync(join(PKG, 'NOTICES'), notices(all))
  writeFileSync(join(PKG, 'sbom.cdx.json'), `${JSON.stringify(bom(all, version))}\n`)
}
