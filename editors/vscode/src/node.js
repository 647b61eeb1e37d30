// The extension where VS Code has Node: the server is a process. Must not live here: when it starts.

import { join } from 'node:path'
import { LanguageClient, TransportKind } from 'vscode-languageclient/node'
import { CLIENT, NAME, devices, extension } from './extension.js'

const server = { module: join(__dirname, 'server.cjs'), transport: TransportKind.stdio }

export const { activate, deactivate } = extension(() => new LanguageClient(...NAME, server, { ...CLIENT, initializationOptions: { devices: devices() } }))
