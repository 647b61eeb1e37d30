// The program of a page's workers: answers a message with how the client there treats keys. Must not live here: starting workers.

import { TailnetClient } from 'tailnet-kit'

const options = { baseURL: 'https://api.example.com', apiKey: 'tskey', fetch: async () => Response.json({ id: '1' }) }

/** The code of the refusal, or the identifier that a call returns. */
async function outcome(more) {
  try {
    return (await new TailnetClient({ ...options, ...more }).devices.get('1')).id
  } catch ({ code }) {
    return code
  }
}

async function answer({ ports: [port] }) {
  port.postMessage(await Promise.all([{}, { apiKey: () => 'tskey' }, { apiKey: null }, { dangerouslyAllowBrowser: true }].map(outcome)))
}

addEventListener('message', answer)
addEventListener('connect', ({ ports: [page] }) => {
  page.onmessage = answer
})
