// A hook: the devices of the tailnet. Must not live here: what is shown.

import { useEffect, useState } from 'react'
import { isTailnetError } from 'tailnet-kit/slim'

export function useDevices(client) {
  const [state, setState] = useState({ devices: [], error: null })
  useEffect(() => {
    // Under StrictMode the first call is aborted, and a second one made.
    const controller = new AbortController()
    const failed = (error) => isTailnetError(error, 'aborted') || setState({ devices: [], error })
    client.devices.list({}, { signal: controller.signal }).then((devices) => setState({ devices, error: null }), failed)
    return () => controller.abort()
  }, [client])
  return state
}
