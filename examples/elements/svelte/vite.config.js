// The build: Svelte alone; the package needs no setting. Must not live here: anything else.

import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [svelte()] })
