// The whole service under Deno: `PORT=8080 deno run --allow-net --allow-env --allow-read --allow-write sandbox.ts`. What it
// knows stays in a file of the built-in SQLite, STATE or sandbox.sqlite: a change is stored before its answer leaves.
// Must not live here: the service itself.

import { DatabaseSync } from 'node:sqlite'
import { Sandbox, type SandboxState } from 'tailnet-kit/sandbox'

const storage = new DatabaseSync(Deno.env.get('STATE') ?? 'sandbox.sqlite')
storage.exec('CREATE TABLE IF NOT EXISTS state (id INTEGER PRIMARY KEY, json TEXT NOT NULL)')
const saved = storage.prepare('SELECT json FROM state').get() as { json: string } | undefined
const save = storage.prepare('INSERT OR REPLACE INTO state VALUES (1, ?)')

const state = saved && (JSON.parse(saved.json) as SandboxState)
const sandbox = new Sandbox({ apiKey: Deno.env.get('API_KEY'), ...(state && { state, tailnet: Object.keys(state.tailnets) }) })

async function answer(request: Request) {
  const { revision } = sandbox
  const response = await sandbox.fetch(request)
  if (sandbox.revision !== revision) save.run(JSON.stringify(sandbox.snapshot()))
  return response
}

const onListen = ({ port }: { port: number }) => console.log(`Listening on http://127.0.0.1:${port}/`)
Deno.serve({ hostname: '127.0.0.1', port: Number(Deno.env.get('PORT') ?? 8080), onListen }, answer)
