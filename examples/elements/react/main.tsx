// The elements as components of React. Must not live here: anything else.

import { StrictMode, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { TailnetAccess, TailnetChanges, TailnetFlow } from 'tailnet-kit/react'
import type { TailnetAccess as Matrix } from 'tailnet-kit/elements'
import after from './after.hujson?raw'
import base from './before.hujson?raw'
import network from './network.json'

function Change() {
  const [value, setValue] = useState(after)
  const matrix = useRef<Matrix>(null)
  const both = { base, value, context: network }
  return (
    <>
      <TailnetChanges {...both} onCell={({ detail }) => matrix.current?.jump(detail)} />
      <TailnetAccess {...both} ref={matrix} />
      <TailnetFlow value={value} context={network} from="bob@example.com" to="tag:db:5432" onEdit={({ detail }) => setValue(detail.text)} />
    </>
  )
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Change />
  </StrictMode>,
)
