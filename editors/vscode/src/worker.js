// The language server as a worker of a page: the first message brings the wasm files, each further one is of the protocol. Must not live here: what it
// answers (`pkg/bin/lsp`).

import { give as giveDialect } from '#wasm/dialect'
import { give as giveHeadscale } from '#wasm/headscale'
import { give as giveHujson } from '#wasm/hujson'
import { give as giveLanguage } from '#wasm/language'
import { contextOf } from 'kit:bin/listed.js'
import { complaint, serve } from 'kit:bin/lsp/server.js'
import { BrowserMessageReader, BrowserMessageWriter, createConnection } from 'vscode-languageserver/browser'
import 'tailnet-kit/headscale'
import { language } from 'tailnet-kit/language'

self.onmessage = ({ data }) => {
  giveLanguage(new WebAssembly.Module(data.language))
  giveHujson(new WebAssembly.Module(data.hujson))
  giveDialect(new WebAssembly.Module(data.dialect))
  giveHeadscale(new WebAssembly.Module(data.headscale))
  const connection = createConnection(new BrowserMessageReader(self), new BrowserMessageWriter(self))
  serve({ connection, world: brought(complaint(connection)) })
}

/** The context that the editor's settings bring, as it is no file here. */
function brought(complain) {
  let context
  const judged = async (given) => {
    const all = await contextOf(given)
    language.diagnostics('{}', all)
    return all
  }
  return {
    within(_, given) {
      context = judged(given).catch((error) => complain(error.message))
    },
    watchers: () => [],
    context: async () => context,
  }
}
