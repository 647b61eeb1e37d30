// A page with Monaco and its providers. Must not live here: what is asserted (`monaco.test.mjs`).

import * as monaco from 'monaco-editor/editor/editor.main.js'
import { register } from 'tailnet-kit/monaco'
import { CONTEXT, POLICY } from './policy.mjs'

globalThis.MonacoEnvironment = { getWorker: () => new Worker('worker.js', { type: 'module' }) }
globalThis.checked = []
globalThis.monaco = monaco
/** The providers by the function that registers them: Monaco alone, outside a workbench, does not show the results of some. */
globalThis.providers = {}
const languages = new Proxy(monaco.languages, {
  get: (all, name) => (/^register\w+Provider$/.test(name) ? (id, provider) => all[name](id, (providers[name] = provider)) : all[name]),
})
globalThis.registered = (options = {}) =>
  register({ ...monaco, languages }, { context: CONTEXT, onDiagnostics: (found) => checked.push(found.length), ...options })
globalThis.edit = (text = POLICY, language = 'tailnet-policy') => {
  globalThis.editor?.dispose()
  const parent = document.body.appendChild(document.createElement('div'))
  parent.style.height = '400px'
  document.body.replaceChildren(parent)
  globalThis.editor = monaco.editor.create(parent, { value: text, language, automaticLayout: true })
  editor.focus()
}
globalThis.ready = true
