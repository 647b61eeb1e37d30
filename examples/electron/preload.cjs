// What a window may ask the main process. Must not live here: the key.

const { contextBridge, ipcRenderer } = require('electron')

contextBridge.exposeInMainWorld('tailnet', { devices: () => ipcRenderer.invoke('devices') })
