// A hook: what the service would say to a policy, judged in a worker while somebody types. Must not live here: what is shown.

import { useEffect, useState } from 'react'
import type { PolicyCheck, PolicyContext } from 'tailnet-kit/slim'
import { compiled } from './kit.ts'

const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
const asked = new Map<string, (check: PolicyCheck) => void>()
worker.onmessage = ({ data: { id, check } }) => {
  asked.get(id)?.(check)
  asked.delete(id)
}
const started = compiled.then((module) => worker.postMessage(module))

async function ask(text: string, context?: PolicyContext): Promise<PolicyCheck> {
  await started
  const id = crypto.randomUUID()
  return new Promise((resolve) => {
    asked.set(id, resolve)
    worker.postMessage({ id, text, context })
  })
}

/** The check of the last text that has one; null before the first. */
export function usePolicyCheck(text: string, context?: PolicyContext) {
  const [check, setCheck] = useState<PolicyCheck | null>(null)
  useEffect(() => {
    // StrictMode runs each effect twice, and answers may come late: only that of the last run counts.
    let last = true
    ask(text, context).then((answer) => last && setCheck(answer))
    return () => {
      last = false
    }
  }, [text, context])
  return check
}
