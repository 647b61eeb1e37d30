// The first page, made on the server; what the person sees is asked for by the browser. Must not live here: calls.

import { Devices } from './devices'

export default function Page() {
  return (
    <main>
      <h1>Devices</h1>
      <Devices />
    </main>
  )
}
