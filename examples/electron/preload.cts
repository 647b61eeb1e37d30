// What a window may ask the main process. Must not live here: the key.

import { contextBridge, ipcRenderer } from 'electron'

contextBridge.exposeInMainWorld('tailnet', { devices: () => ipcRenderer.invoke('devices') })
