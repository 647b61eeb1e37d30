// The build: Vue, which is told which tags are elements of the page. Must not live here: anything else.

import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

const isCustomElement = (tag: string) => tag.startsWith('tailnet-')

export default defineConfig({ plugins: [vue({ template: { compilerOptions: { isCustomElement } } })] })
