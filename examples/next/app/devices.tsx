// The devices, asked for through the gateway once the page is in the browser. Must not live here: the key, which the gateway has.
'use client'

import { useEffect, useState } from 'react'
import { TailnetClient, isTailnetError } from 'tailnet-kit'

export function Devices() {
  const [said, setSaid] = useState('…')
  useEffect(() => {
    const client = new TailnetClient({ apiKey: null, baseURL: '/api/tailnet', tailnet: 'example.com' })
    const failed = (error: unknown) => isTailnetError(error, 'aborted') || setSaid(isTailnetError(error) ? error.code : String(error))
    client.devices.list().then((devices) => setSaid(`${devices.length} devices`), failed)
    // Under StrictMode the first call is aborted, and a second one made.
    return () => client.close()
  }, [])
  return <p>{said}</p>
}
