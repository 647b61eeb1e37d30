// How the demo is built and served. Must not live here: anything the page itself needs to know.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { TailnetClient, policy } from 'tailnet-kit';
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

/** What the page begins with, asked now: the page fetches the kit with the first question, the sandbox with the first call. */
const example: Plugin = {
  name: 'example',
  resolveId: (id) => (id === 'virtual:example' ? `\0${id}` : undefined),
  async load(id) {
    if (id !== '\0virtual:example') return undefined;
    const { baseURL, fetch } = new Sandbox();
    const client = new TailnetClient({ baseURL, fetch, tailnet: 'example.com', apiKey: 'tskey-sandbox' });
    const [acl, devices] = await Promise.all([client.acl.get(), client.devices.list({ fields: 'all' })]);
    const context = { devices, domains: ['example.com'] };
    const user = 'alice@example.com';
    const answers = {
      '["check",null]': policy.check(acl.text, context),
      '["access",null]': policy.access(acl.text, context),
      [`["preview",null,{"user":"${user}"}]`]: policy.preview(acl.text, { user }, context),
      '["diffAccess",null,null]': policy.diffAccess(acl.text, acl.text, context),
    };
    return `export default ${JSON.stringify({ acl, devices, answers })}`;
  },
};

/** The server compresses scripts and styles by itself, but no wasm. */
const compressed: Plugin = {
  name: 'compressed',
  configurePreviewServer({ config, middlewares }) {
    middlewares.use((request, response, next) => {
      if (!request.url?.endsWith('.wasm')) return next();
      const file = readFileSync(join(config.root, config.build.outDir, config.build.assetsDir, basename(request.url)));
      response.writeHead(200, { 'content-type': 'application/wasm', 'content-encoding': 'gzip', 'cache-control': 'no-cache' });
      response.end(gzipSync(file));
    });
  },
};

export default defineConfig({
  base: './',
  plugins: [example, compressed],
  build: { target: 'es2022', modulePreload: { polyfill: false }, chunkSizeWarningLimit: 2000 },
  worker: { format: 'es' },
  preview: { host: '127.0.0.1', strictPort: true, headers: { 'content-security-policy': contentSecurityPolicy } },
});
