// An Electron app: the main process has the key, the window asks it. Must not live here: what the window shows.

import { fileURLToPath } from 'node:url'
import { app, BrowserWindow, ipcMain } from 'electron'
import { TailnetClient } from 'tailnet-kit'

function env(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set`)
  return value
}

const client = new TailnetClient({ baseURL: env('SERVICE_URL'), apiKey: env('API_KEY'), tailnet: env('TAILNET') })

// One handler a question: a window that could name the call could make any.
ipcMain.handle('devices', () => client.devices.list())

await app.whenReady()
const window = new BrowserWindow({ webPreferences: { preload: fileURLToPath(new URL('preload.cjs', import.meta.url)) } })
await window.loadFile('index.html')
