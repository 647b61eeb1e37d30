// The dialog that chooses the service. Must not live here: its words (index.html); how a client of it is made; a stored key.
import { open } from './clients.js'
import { find, problem, the } from './dom.js'
import { type Connection, connection } from './connection.js'
import { changeTo } from './service.js'

/** What the Content-Security-Policy of the page lets it call. */
const WITHIN_REACH = /^(?:\/|https?:\/\/(?:127\.0\.0\.1|localhost)(?:[:/]|$))/

/** Asks for a service in a dialog, and changes to it if it answers. The key stays in this page's memory. */
export function chooseService(): void {
  const dialog = the<HTMLDialogElement>('connect')
  const [form, said] = [find(dialog, 'form'), find(dialog, '.said')]
  const connect = async () => {
    const { kind = '', tailnet = '', key, ...addresses } = Object.fromEntries(new FormData(form)) as Record<string, string>
    const wanted = { kind, tailnet, baseURL: addresses[kind] ?? '', example: connection.example } as Connection
    if (kind !== 'page' && !WITHIN_REACH.test(wanted.baseURL)) throw new Error('This page can call a path on this site, or a localhost address.')
    const candidate = await open(wanted, key || undefined)
    await candidate.stored()
    dialog.close()
    changeTo(wanted, candidate)
  }
  form.reset()
  said.replaceChildren()
  const { kind, baseURL, tailnet } = connection
  const values = { kind, tailnet, ...(kind !== 'page' && { [kind]: baseURL }) }
  for (const [name, value] of Object.entries(values)) Object.assign(form.elements.namedItem(name) ?? {}, { value })
  form.onsubmit = (event) => {
    event.preventDefault()
    said.replaceChildren()
    connect().catch((error) => said.replaceChildren(problem(error)))
  }
  find(dialog, '[name=cancel]').onclick = () => dialog.close()
  dialog.showModal()
}
