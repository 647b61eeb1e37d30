// A hook: the devices of the tailnet. Must not live here: what is shown.

import { useEffect, useState } from 'react'
import { type Device, type TailnetClient, isTailnetError } from 'tailnet-kit/slim'

interface Devices {
  devices: Device[]
  error: unknown
}

export function useDevices(client: TailnetClient): Devices {
  const [state, setState] = useState<Devices>({ devices: [], error: null })
  useEffect(() => {
    // Under StrictMode the first call is aborted, and a second one made.
    const controller = new AbortController()
    const failed = (error: unknown) => isTailnetError(error, 'aborted') || setState({ devices: [], error })
    client.devices.list({}, { signal: controller.signal }).then((devices) => setState({ devices, error: null }), failed)
    return () => controller.abort()
  }, [client])
  return state
}
