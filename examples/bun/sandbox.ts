// The whole service under Bun: `PORT=8080 bun sandbox.ts`. What it knows stays in a file of Bun's own SQLite, STATE or
// sandbox.sqlite: a change is stored before its answer leaves. Must not live here: the service itself.

import { Database } from 'bun:sqlite'
import { Sandbox, type SandboxState } from 'tailnet-kit/sandbox'

const storage = new Database(process.env.STATE ?? 'sandbox.sqlite')
storage.run('CREATE TABLE IF NOT EXISTS state (id INTEGER PRIMARY KEY, json TEXT NOT NULL)')
const saved = storage.query('SELECT json FROM state').get() as { json: string } | null
const save = storage.query('INSERT OR REPLACE INTO state VALUES (1, ?)')

const state = saved && (JSON.parse(saved.json) as SandboxState)
const { API_KEY: apiKey } = process.env
const sandbox = new Sandbox({ ...(apiKey && { apiKey }), ...(state && { state, tailnet: Object.keys(state.tailnets) }) })

async function answer(request: Request) {
  const { revision } = sandbox
  const response = await sandbox.fetch(request)
  if (sandbox.revision !== revision) save.run(JSON.stringify(sandbox.snapshot()))
  return response
}

const server = Bun.serve({ hostname: '127.0.0.1', port: Number(process.env.PORT ?? 8080), fetch: answer })
console.log(`Listening on ${server.url}`)
