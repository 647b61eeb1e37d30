// The language server as a worker of a page: the first message brings the wasm files, each further one is of the protocol. Must not live here: what it
// answers (`pkg/bin/lsp`).

import { give as giveHujson } from '#wasm/hujson'
import { give as giveLanguage } from '#wasm/language'
import { complaint, serve } from 'kit:bin/lsp/server.js'
import { BrowserMessageReader, BrowserMessageWriter, createConnection } from 'vscode-languageserver/browser'
import { language } from 'tailnet-kit/language'

self.onmessage = ({ data }) => {
  giveLanguage(new WebAssembly.Module(data.language))
  giveHujson(new WebAssembly.Module(data.hujson))
  const connection = createConnection(new BrowserMessageReader(self), new BrowserMessageWriter(self))
  serve({ connection, world: brought(complaint(connection)) })
}

/** The context that the editor's settings bring, as it is no file here. */
function brought(complain) {
  let context
  return {
    within(_, given) {
      const all = Array.isArray(given) ? { devices: given } : given
      try {
        language.diagnostics('{}', all)
        context = all
      } catch (error) {
        complain(error.message)
      }
    },
    watchers: () => [],
    context: () => context,
  }
}
