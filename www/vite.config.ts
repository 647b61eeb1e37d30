// How the demo is built and served. Must not live here: anything the page itself needs to know.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { TailnetClient, policy } from 'tailnet-kit'
import { type Token, language } from 'tailnet-kit/language'
import { Sandbox } from 'tailnet-kit/sandbox'
import { type Plugin, defineConfig } from 'vite'
import { offline } from './offline/plugin.js'
import { verbs } from '../pkg/elements/common/verbs.js'

/** As strict as WebAssembly allows. Beside its own origin the page may reach services on this machine only. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self' http://127.0.0.1:* http://localhost:*",
  "base-uri 'none'",
  "form-action 'none'",
]
/** With the directive that counts only in a header, not in the page. */
const ofServer = [...contentSecurityPolicy, "frame-ancestors 'none'"].join('; ')

/** The commit that the page is built from; none outside a repository. */
function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}

/** Puts the security policy into the page, so that it holds on any static host; writes the package's reference beside the page. */
const standing: Plugin = {
  name: 'standing',
  apply: 'build',
  transformIndexHtml: () => [
    { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: contentSecurityPolicy.join('; ') }, injectTo: 'head-prepend' },
  ],
  generateBundle() {
    const source = readFileSync(new URL('../pkg/README.md', import.meta.url), 'utf8')
    this.emitFile({ type: 'asset', fileName: 'reference.txt', source })
  },
}

/** Tokens as the gap before each, its length, its kind, and 1 for a definition: less to load than their positions. */
function packed(tokens: Token[]) {
  const kinds = [...new Set(tokens.map(({ type }) => type))]
  const gaps = tokens.map(({ from }, index) => from - (tokens[index - 1]?.to ?? 0))
  const runs = tokens.map(({ from, to, type, definition }, index) => [gaps[index], to - from, kinds.indexOf(type), ...(definition ? [1] : [])])
  return { kinds, runs }
}

/** The answers for the text that the page begins with, found at build time: the page loads the kit only with the first question. */
const example: Plugin = {
  name: 'example',
  resolveId: (id) => (id === 'virtual:example' ? `\0${id}` : undefined),
  async load(id) {
    if (id !== '\0virtual:example') return undefined
    const { baseURL, fetch } = new Sandbox()
    const client = new TailnetClient({ baseURL, fetch, tailnet: 'example.com', apiKey: 'tskey-sandbox' })
    const [acl, devices] = await Promise.all([client.acl.get(), client.devices.list({ fields: 'all' })])
    const context = { devices, domains: ['example.com'] }
    const edited = policy.edit.setGroup(acl.text, 'group:dev', ['carol@example.com'])
    const texts: Record<string, unknown> = { saved: acl.text, edited, network: context }
    const questions = [
      ['check', 'edited', 'network'],
      ['changes', 'saved', 'edited', 'network'],
      ['matrix', 'edited', 'saved', 'network', { by: 'name', of: 'ports' }],
      ['flow', 'edited', null, 'network'],
    ] as const
    const answers = Object.fromEntries(
      questions.map(([verb, ...args]) => {
        const asked = args.map((arg) => (typeof arg === 'string' ? texts[arg] : (arg ?? undefined)))
        // Whole numbers of one size are lists as JSON has them.
        const plain = (_: string, value: unknown) => (value instanceof Int32Array ? [...value] : value)
        return [JSON.stringify([verb, ...args]), JSON.parse(JSON.stringify(verbs[verb](...asked), plain))]
      }),
    )
    const inEditor = {
      diagnostics: language.diagnostics(edited, context),
      folding: language.folding(edited),
      inlay: language.inlay(edited, null, context),
    }
    const { kinds, runs } = packed(language.tokens(edited))
    return `let at = 0
const kinds = ${JSON.stringify(kinds)}
const token = ([gap, length, kind, definition]) => ({ from: (at += gap), to: (at += length), type: kinds[kind], ...(definition && { definition: true }) })
const tokens = ${JSON.stringify(runs)}.map(token)
export default { ...${JSON.stringify({ acl, edited, devices, answers })}, language: { ...${JSON.stringify(inEditor)}, tokens } }`
  },
}

/** Compresses the wasm, as hosts do and the preview server does not: each once, as those of one visit take a tenth of a second. */
const served: Plugin = {
  name: 'served',
  configurePreviewServer({ config: { root, build }, middlewares }) {
    const compressed: Record<string, Buffer> = {}
    middlewares.use((request, response, next) => {
      const [path = ''] = (request.url ?? '').split('?')
      if (!path.endsWith('.wasm')) return next()
      const headers = { 'content-type': 'application/wasm', 'content-encoding': 'gzip', 'cache-control': 'no-cache' }
      response.writeHead(200, headers).end((compressed[path] ??= gzipSync(readFileSync(join(root, build.outDir, build.assetsDir, basename(path))))))
    })
  },
}

/** A module of the page in place of one of the elements. */
const inPlace = (name: string, of: string, here: string): Plugin => ({
  name: `in-place-of-${name}`,
  enforce: 'pre',
  resolveId: (id, importer) => (id.endsWith(`/${name}.js`) && importer?.includes(of) ? join(import.meta.dirname, here) : undefined),
})

/** Gives the workers of the elements the engine of this page, whose files are fetched once. */
const engines = () => [inPlace('engine', '/elements/', 'src/engine.ts'), inPlace('language', '/elements/policy/', 'src/language.ts')]

/** Gives the elements the answers of this page, which pass on to their workers what they do not know. */
const answers = [inPlace('judge', '/elements/', 'src/answers.ts'), inPlace('service', '/elements/policy/', 'src/answers.ts')]

/** Leaves the engines out of the page itself, where nothing works without workers. */
const inWorkersAlone: Plugin = {
  name: 'in-workers-alone',
  enforce: 'pre',
  resolveId: (id, importer) => (/^\.\/(verbs|language)\.js$/.test(id) && /\/(judge|service)\.js$/.test(importer ?? '') ? '\0none' : undefined),
  load: (id) => (id === '\0none' ? 'export const verbs = {}' : undefined),
}

const { version, repository } = JSON.parse(readFileSync(new URL('../pkg/package.json', import.meta.url), 'utf8'))
/** How to install the package: until its repository has an owner nothing is released, and the packed file of a clone is what there is. */
const where = repository.url.includes('/OWNER/')
  ? `<code>npm i tailnet-kit-${version}.tgz</code>`
  : `<a href="${repository.url.replace(/^git\+|\.git$/g, '')}">Repository</a><code>npm i tailnet-kit</code><code>cargo add tailnet-kit</code>`
/** Words of the page itself that only a build knows. */
Object.assign(process.env, { VITE_VERSION: [version, commit()].filter(Boolean).join(' at '), VITE_WHERE: where })

export default defineConfig({
  base: './',
  appType: 'mpa', // No other address shows the page.
  plugins: [inWorkersAlone, ...answers, example, standing, offline, served],
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    // The page gives the editor what it would otherwise import from these.
    rolldownOptions: { external: ['tailnet-kit/hujson', 'tailnet-kit/language'] },
  },
  // The package is in a folder beside the page here, not in its `node_modules`: it must still use the page's copy of CodeMirror.
  resolve: {
    dedupe: ['tailnet-kit', ...['autocomplete', 'commands', 'language', 'lint', 'merge', 'search', 'state', 'view'].map((part) => `@codemirror/${part}`)],
  },
  worker: { format: 'es', plugins: engines },
  preview: { host: '127.0.0.1', strictPort: true, headers: { 'content-security-policy': ofServer } },
})
