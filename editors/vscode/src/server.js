// The language server as a process of Node. Must not live here: what it answers (`pkg/bin/lsp`).

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { give as giveDialect } from '#wasm/dialect'
import { give as giveHeadscale } from '#wasm/headscale'
import { give as giveHujson } from '#wasm/hujson'
import { give as giveLanguage } from '#wasm/language'
import { serveStdio } from 'kit:bin/lsp/stdio.js'
import 'tailnet-kit/headscale'

const compiled = (name) => new WebAssembly.Module(readFileSync(join(__dirname, `${name}.wasm`)))

giveLanguage(compiled('language'))
giveHujson(compiled('hujson'))
giveDialect(compiled('dialect'))
giveHeadscale(compiled('headscale'))
serveStdio({})
