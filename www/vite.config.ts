// How the demo is built and served. Must not live here: anything the page itself needs to know.
import { TailnetClient } from 'tailnet-kit';
import { Sandbox } from 'tailnet-kit/sandbox';
import { type Plugin, defineConfig } from 'vite';

/** The page runs under the strictest policy that WebAssembly allows. Beyond its own origin it may ask services on this machine only. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'", // the editor sets its own styles
  "img-src 'self' data:",
  "connect-src 'self' http://127.0.0.1:* http://localhost:*",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What the page begins with, asked of the sandbox now: the page fetches the sandbox itself only when something is sent to it. */
const example: Plugin = {
  name: 'example',
  resolveId: (id) => (id === 'virtual:example' ? `\0${id}` : undefined),
  async load(id) {
    if (id !== '\0virtual:example') return undefined;
    const { baseURL, fetch } = new Sandbox();
    const client = new TailnetClient({ baseURL, fetch, tailnet: 'example.com', apiKey: 'tskey-sandbox' });
    const [acl, devices] = await Promise.all([client.acl.get(), client.devices.list({ fields: 'all' })]);
    return `export default ${JSON.stringify({ acl, devices })}`;
  },
};

export default defineConfig({
  base: './',
  plugins: [example],
  build: { target: 'es2022', modulePreload: { polyfill: false }, chunkSizeWarningLimit: 2000 },
  worker: { format: 'es' },
  preview: { host: '127.0.0.1', strictPort: true, headers: { 'content-security-policy': contentSecurityPolicy } },
});
