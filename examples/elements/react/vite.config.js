// The build: React alone; the package needs no setting. Must not live here: anything else.

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [react()] })
