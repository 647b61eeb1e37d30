// The program of slim in a page built by Vite: first the cases of its start, then all other cases.

import url from 'tailnet-kit/tailnet_kit.wasm?url'
import * as slim from 'tailnet-kit/slim'
import { run, runCases } from './cases/index.mjs'
import { forbidden, start } from './cases/slim.mjs'

const fetchWasm = () => fetch(url)
const bytes = await (await fetchWasm()).arrayBuffer()
const parameters = new URLSearchParams(location.search)

async function everything() {
  const outcomes = await run(start({ slim, bytes, fetchWasm, url: new URL(url, location.href).href }))
  const apart = [import('tailnet-kit/gateway'), import('tailnet-kit/headscale'), import('tailnet-kit/language'), import('tailnet-kit/sandbox')]
  const [gateway, headscale, language, sandbox] = await Promise.all(apart)
  return [
    ...outcomes,
    await inWorker(),
    ...(await runCases({ kit: slim, gateway, headscale, language, sandbox, runtime: 'page', baseURL: parameters.get('service') })),
  ]
}

/** The same in a worker, which Vite builds in another format than the page. */
async function inWorker() {
  const worker = new Worker(new URL('./slim-worker.mjs', import.meta.url), { type: 'module' })
  const said = await new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = ({ message }) => resolve({ fault: message })
    worker.postMessage(new WebAssembly.Module(bytes))
  })
  worker.terminate()
  return { name: 'slim runs in a worker', error: said.accepted === true ? null : said.fault }
}

globalThis.outcomes = await (parameters.has('forbidden') ? run(forbidden({ slim, bytes, fetchWasm })) : everything())
