// How the demo is built and served. Must not live here: anything the page itself needs to know.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { TailnetClient, policy } from 'tailnet-kit';
import { Sandbox } from 'tailnet-kit/sandbox';
import { type Plugin, defineConfig } from 'vite';

/** Stands in the built page for the nonce that every answer of the server has anew. */
const NONCE = 'nonce-of-this-answer';

/** As strict as WebAssembly allows. Beyond its own origin the page may ask services on this machine only. */
const contentSecurityPolicy = (style = ''): string =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `style-src 'self'${style}`,
    "img-src 'self' data:",
    "connect-src 'self' http://127.0.0.1:* http://localhost:*",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** What the page begins with, asked now: it loads the kit with the first question, the sandbox with the first call. */
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
      [`["preview",null,"${user}"]`]: policy.preview(acl.text, user, context),
      '["diffAccess",null,null]': policy.diffAccess(acl.text, acl.text, context),
    };
    return `export default ${JSON.stringify({ acl, devices, answers })}`;
  },
};

/** What the server does not do by itself: a nonce for the style sheet that the editor makes, and wasm compressed. */
const served: Plugin = {
  name: 'served',
  configurePreviewServer({ config: { root, build }, middlewares }) {
    const read = (...names: string[]): Buffer => readFileSync(join(root, build.outDir, ...names));
    middlewares.use((request, response, next) => {
      const [path = ''] = (request.url ?? '').split('?');
      const send = (type: string, body: string | Buffer, more = {}): void => {
        const always = { 'content-type': type, 'content-encoding': 'gzip', 'cache-control': 'no-cache' };
        response.writeHead(200, { ...always, ...more }).end(gzipSync(body));
      };
      if (path.endsWith('.wasm')) return send('application/wasm', read(build.assetsDir, basename(path)));
      if (path !== '/' && path !== '/index.html') return next();
      const nonce = randomBytes(16).toString('base64');
      const policy = contentSecurityPolicy(` 'nonce-${nonce}'`);
      send('text/html', read('index.html').toString().replaceAll(NONCE, nonce), { 'content-security-policy': policy });
    });
  },
};

export default defineConfig({
  base: './',
  appType: 'mpa', // no other address is the page
  html: { cspNonce: NONCE },
  plugins: [example, served],
  build: { target: 'es2022', modulePreload: { polyfill: false }, chunkSizeWarningLimit: 2000 },
  worker: { format: 'es' },
  preview: { host: '127.0.0.1', strictPort: true, headers: { 'content-security-policy': contentSecurityPolicy() } },
});
