// The page: a policy with what the service would say to it, and the devices. Must not live here: how either is found out.

import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { TailnetClient } from 'tailnet-kit/slim'
import { ready } from './kit.js'
import { useDevices } from './use-devices.js'
import { usePolicyCheck } from './use-policy-check.js'

const client = new TailnetClient({ apiKey: null, baseURL: '/gate', tailnet: 'example.com' })

function Page() {
  const [text, setText] = useState('{"acls": [{"action": "accept", "src": ["group:dev"], "dst": ["*:22"]}]}')
  const check = usePolicyCheck(text)
  const { devices, error } = useDevices(client)
  return (
    <main>
      <textarea value={text} onChange={(event) => setText(event.target.value)} />
      <output>{check && (check.accepted ? 'accepted' : check.message)}</output>
      <p>{error ? error.code : `${devices.length} devices`}</p>
    </main>
  )
}

await ready
createRoot(document.getElementById('root')).render(
  <StrictMode>
    <Page />
  </StrictMode>,
)
