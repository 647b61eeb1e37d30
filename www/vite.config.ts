// How the demo is built and served. Must not live here: anything the page itself needs to know.
import { defineConfig } from 'vite';

/** The page runs under the strictest policy that WebAssembly allows, in development as in the built form. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'", // the editor sets its own styles
  "img-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
].join('; ');

export default defineConfig({
  base: './',
  build: { target: 'es2022', modulePreload: { polyfill: false } },
  preview: {
    host: '127.0.0.1',
    strictPort: true,
    headers: { 'content-security-policy': contentSecurityPolicy },
  },
});
