// The language server of the extension for the web, as a worker of a page that speaks the protocol with it. Must not live here: VS Code.

import { chromium } from 'playwright-core'
import { FLAGS, executable, serve } from './browser.mjs'

/** The issues, the remarks and the canonical form of a text, by the worker in this folder; `devices` is what the editor's settings bring. */
export async function askedInWorker(dist, text, devices, name = 'policy.hujson') {
  const server = await serve(dist, {})
  const browser = await chromium.launch({ executablePath: executable(), args: FLAGS })
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${server.address().port}/web.js`)
    return await page.evaluate(speak, { text, devices, name })
  } finally {
    await browser.close()
    server.close()
  }
}

/** In the page. */
async function speak({ text, devices, name }) {
  const worker = new Worker('/worker.js')
  const files = ['language', 'hujson', 'dialect', 'headscale'].map(async (name) => [name, await (await fetch(`/${name}.wasm`)).arrayBuffer()])
  worker.postMessage(Object.fromEntries(await Promise.all(files)))
  const waiting = new Map()
  const failed = new Promise((_, reject) => {
    worker.onerror = ({ message }) => reject(new Error(message))
  })
  worker.onmessage = ({ data }) => data.method === undefined && waiting.get(data.id)?.(data)
  const notify = (method, params) => worker.postMessage({ jsonrpc: '2.0', method, params })
  const ask = (method, params) => {
    const id = waiting.size + 1
    const answer = new Promise((resolve) => waiting.set(id, resolve))
    worker.postMessage({ jsonrpc: '2.0', id, method, params })
    return Promise.race([answer, failed]).then(({ result, error }) => (error ? Promise.reject(new Error(error.message)) : result))
  }
  await ask('initialize', { processId: null, rootUri: null, capabilities: { textDocument: { diagnostic: {} } }, initializationOptions: { devices } })
  notify('initialized', {})
  const textDocument = { uri: `vscode-vfs://host/${name}`, languageId: 'tailnet-policy', version: 1, text }
  notify('textDocument/didOpen', { textDocument })
  const range = { start: { line: 0, character: 0 }, end: { line: text.split('\n').length, character: 0 } }
  const { items } = await ask('textDocument/diagnostic', { textDocument })
  const inlays = await ask('textDocument/inlayHint', { textDocument, range })
  const edits = await ask('textDocument/formatting', { textDocument, options: { tabSize: 2, insertSpaces: false } })
  return { issues: items.map(({ code }) => code), remarks: inlays.map(({ label }) => label), edits: edits.length }
}
