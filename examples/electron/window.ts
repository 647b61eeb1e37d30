// The list of devices. Must not live here: where they come from.

import type { Device } from 'tailnet-kit'

declare global {
  interface Window {
    /** What the preload script exposes. */
    tailnet: { devices(): Promise<Device[]> }
  }
}

const names = (await window.tailnet.devices()).map(({ name }) => name)
document.querySelector('ul')?.append(...names.map((name) => Object.assign(document.createElement('li'), { textContent: name })))
