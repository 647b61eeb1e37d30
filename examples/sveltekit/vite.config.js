// The build: SvelteKit; the package needs no setting. Must not live here: anything else.

import { sveltekit } from '@sveltejs/kit/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [sveltekit()] })
