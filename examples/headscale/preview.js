// A tab that says what the policy in an editor will do, and saves it. Must not live here: the key, which the gateway has.

import { policy } from 'tailnet-kit'
import { HeadscaleClient, contextFromHeadscale } from 'tailnet-kit/headscale'

const headscale = new HeadscaleClient({ baseURL: '/api/headscale', apiKey: null })
const [editor, verdict, changes, save] = ['editor', 'verdict', 'changes', 'save'].map((id) => document.getElementById(id))
const [users, nodes, stored] = await Promise.all([headscale.users.list(), headscale.nodes.list(), headscale.policy.get()])
const context = contextFromHeadscale({ users, nodes })

const told = (sign, source) => (reach) => `${sign} ${source} → ${reach.destination}:${reach.ports}`
const lines = ({ source, gained, lost }) => [...gained.map(told('+', source)), ...lost.map(told('-', source))]

function preview() {
  const { accepted, message } = policy.check(editor.value, context)
  verdict.textContent = accepted ? 'The server will take it.' : message
  changes.textContent = accepted ? policy.diffAccess(stored.text, editor.value, context).flatMap(lines).join('\n') : ''
  save.disabled = !accepted || editor.value === stored.text
}

async function write() {
  const edit = (text) => (text === stored.text ? editor.value : Promise.reject(new Error('Somebody else has saved another one.')))
  const saved = await headscale.policy.update(edit).catch(({ message }) => void (verdict.textContent = message))
  if (!saved) return
  stored.text = saved.text
  preview()
}

editor.value = stored.text
editor.addEventListener('input', preview)
save.addEventListener('click', write)
preview()
