// The views of the service, each an element of the package. Must not live here: what an element shows.
import 'tailnet-kit/elements/admin'
import type { PolicyContext } from 'tailnet-kit/slim'
import { isHeadscale } from './connection.js'
import { client, known, look } from './service.js'
import { keep, recall, typed } from './storage.js'

/** What is typed there survives a reload. */
const drafts = { get: (name: string) => recall(typed(name)), set: (name: string, value: unknown) => keep(typed(name), value) }

/** Draws one of them. What it tells of devices, questions about policies know too. */
export async function listView(root: HTMLElement, name: string): Promise<void> {
  const element = document.createElement(`tailnet-${name}`)
  element.addEventListener('change', look)
  element.addEventListener('answer', (event) => {
    if (name === 'devices' && element.isConnected && !isHeadscale()) known.devices = (event as CustomEvent<PolicyContext['devices']>).detail
  })
  root.replaceChildren(element)
  Object.assign(element, { drafts, client: (await client()).client })
}
