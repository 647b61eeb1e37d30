// A page with CodeMirror and the extension. Must not live here: what is asserted (`codemirror.test.mjs`).

import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { basicSetup } from 'codemirror'
import { formatPolicy, tailnetPolicy } from 'tailnet-kit/codemirror'
import { CONTEXT, POLICY } from './policy.mjs'

globalThis.checked = []
/** What a screen reader would read out, in order. */
globalThis.said = []
const listening = new MutationObserver((changes) =>
  changes.forEach(({ addedNodes }) => addedNodes.forEach(({ textContent }) => textContent.trim() && said.push(textContent))),
)
const extensions = (options) => [
  basicSetup,
  EditorView.cspNonce.of('n0nce'),
  tailnetPolicy({ context: async () => CONTEXT, onDiagnostics: (found) => checked.push(found.length), ...options }),
]
globalThis.edit = (doc = POLICY, options = {}) => {
  globalThis.view?.destroy()
  globalThis.view = new EditorView({ parent: document.body, state: EditorState.create({ doc, extensions: extensions(options) }) })
  said.length = 0
  listening.observe(view.dom.querySelector('[aria-live=polite]'), { childList: true })
  view.focus()
}
Object.assign(globalThis, { tailnetPolicy, formatPolicy })
globalThis.violations = []
addEventListener('securitypolicyviolation', ({ violatedDirective, sourceFile }) => violations.push(`${violatedDirective} ${sourceFile}`))
globalThis.ready = true
