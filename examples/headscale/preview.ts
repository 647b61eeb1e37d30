// A tab that says what the policy in an editor will do, and saves it. Must not live here: the key, which the gateway has.

import { type AccessChange, policy } from 'tailnet-kit'
import { HeadscaleClient, contextFromHeadscale } from 'tailnet-kit/headscale'

const headscale = new HeadscaleClient({ baseURL: '/api/headscale', apiKey: null })
const editor = document.querySelector<HTMLTextAreaElement>('#editor')!
const save = document.querySelector<HTMLButtonElement>('#save')!
const verdict = document.querySelector<HTMLElement>('#verdict')!
const changes = document.querySelector<HTMLElement>('#changes')!
const [users, nodes, stored] = await Promise.all([headscale.users.list(), headscale.nodes.list(), headscale.policy.get()])
const context = contextFromHeadscale({ users, nodes })

const lines = ({ source, gained, lost }: AccessChange) => [
  ...gained.map(({ destination, ports }) => `+ ${source} → ${destination}:${ports}`),
  ...lost.map(({ destination, ports }) => `- ${source} → ${destination}:${ports}`),
]

function preview() {
  const { accepted, message } = policy.check(editor.value, context)
  verdict.textContent = accepted ? 'The server will take it.' : message
  changes.textContent = accepted ? policy.diffAccess(stored.text, editor.value, context).flatMap(lines).join('\n') : ''
  save.disabled = !accepted || editor.value === stored.text
}

async function write() {
  const edit = (text: string) => (text === stored.text ? editor.value : Promise.reject(new Error('Somebody else has saved another one.')))
  const saved = await headscale.policy.update(edit).catch(({ message }) => void (verdict.textContent = message))
  if (!saved) return
  stored.text = saved.text
  preview()
}

editor.value = stored.text
editor.addEventListener('input', preview)
save.addEventListener('click', write)
preview()
