// The page: a policy with what the service would say to it, and the devices. Must not live here: how either is found out.

import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { TailnetClient, isTailnetError } from 'tailnet-kit/slim'
import { ready } from './kit.ts'
import { useDevices } from './use-devices.ts'
import { usePolicyCheck } from './use-policy-check.ts'

const client = new TailnetClient({ apiKey: null, baseURL: '/gate', tailnet: 'example.com' })

function Page() {
  const [text, setText] = useState('{"acls": [{"action": "accept", "src": ["group:dev"], "dst": ["*:22"]}]}')
  const check = usePolicyCheck(text)
  const { devices, error } = useDevices(client)
  return (
    <main>
      <textarea value={text} onChange={(event) => setText(event.target.value)} />
      <output>{check && (check.accepted ? 'accepted' : check.message)}</output>
      <p>{error ? (isTailnetError(error) ? error.code : String(error)) : `${devices.length} devices`}</p>
    </main>
  )
}

await ready
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Page />
  </StrictMode>,
)
