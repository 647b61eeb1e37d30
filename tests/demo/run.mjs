// The demo in a real browser, as a person would try it: `node --test tests/demo/run.mjs`.
// Needs the built package (`cargo xtask package`), www/node_modules and tests/js/node_modules.
// Must not live here: tests of single calls (tests/js), anything that looks inside the page's modules.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, beforeEach, afterEach, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = new URL('../../', import.meta.url);
const path = (relative) => fileURLToPath(new URL(relative, root));
const load = (from, name) => import(pathToFileURL(createRequire(path(from)).resolve(name)).href);

const { build, preview } = await load('www/package.json', 'vite');
const { chromium } = await load('tests/js/package.json', 'playwright-core');

/** No service of the browser's own: nothing here may leave the machine. */
const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const screenshots = path('target/demo/');

let browser, server, origin, page, context, complaints, strays;

before(async () => {
  mkdirSync(screenshots, { recursive: true });
  await build({ root: path('www'), logLevel: 'warn' });
  server = await preview({ root: path('www'), preview: { port: 0, strictPort: false }, logLevel: 'silent' });
  const { port } = server.httpServer.address();
  origin = `http://127.0.0.1:${port}/`;
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags });
});

after(async () => {
  await browser?.close();
  await server?.close();
});

beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  page = await context.newPage();
  complaints = [];
  strays = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => request.url().startsWith(origin) || request.url().startsWith('data:') || strays.push(request.url()));
  await page.goto(origin);
  await page.locator('.cm-content').waitFor();
  await page.locator('#devices tbody tr').first().waitFor();
});

afterEach(async () => {
  assert.deepEqual(complaints, [], 'the console stays clean, the Content-Security-Policy holds');
  assert.deepEqual(strays, [], 'no request leaves the page\'s own origin');
  await context.close();
});

const policyText = `{
  // Who may reach what.
  "Groups": {
    "group:ops": ["alice@example.com"],
  },
  "ACLs": [
    {"Action": "accept", "Users": ["group:ops"], "Ports": ["10.0.0.1:22"]},
    {
      "Action": "accept",
      "Users": ["bob@example.com"],
      "Ports": ["*:80"],
    },
  ],
}
`;

async function typePolicy(text) {
  await page.locator('.cm-content').fill(text);
}

/** The text of the line on which the editor's cursor stands. */
const cursorLine = () =>
  page.evaluate(() => {
    const node = document.getSelection()?.anchorNode;
    const element = node instanceof Element ? node : node?.parentElement;
    return element?.closest('.cm-line')?.textContent ?? null;
  });

test('it opens on a policy, the rules of a user and the devices, without an account', async () => {
  assert.match(await page.locator('.cm-content').innerText(), /\/\//, 'the policy has its comments');
  assert.ok((await page.locator('#preview .rule').count()) > 0, 'rules of the first user are shown');
  assert.ok((await page.locator('#devices tbody tr').count()) >= 10, 'the devices of the sandbox are listed');
  await page.screenshot({ path: `${screenshots}light.png` });
});

test('a user\'s rules are found, marked, and a click leads to the line', async () => {
  await typePolicy(policyText);
  await page.getByLabel('Rules for the user').fill('alice@example.com');
  assert.deepEqual(await page.locator('#preview .rule .line').allInnerTexts(), ['line 7']);
  await page.getByLabel('Rules for the user').fill('bob@example.com');
  assert.deepEqual(await page.locator('#preview .rule .line').allInnerTexts(), ['line 8']);
  assert.deepEqual(await page.locator('.cm-marked').allInnerTexts(), ['    {']);
  await page.locator('#preview .rule').click();
  assert.equal(await cursorLine(), '    {');
});

test('the answer follows the typing', async () => {
  await typePolicy(policyText);
  await page.getByLabel('Rules for the user').fill('carol@example.com');
  await page.getByText('No rule concerns carol@example.com.').waitFor();
  await typePolicy(policyText.replace('bob@', 'carol@'));
  assert.deepEqual(await page.locator('#preview .rule .line').allInnerTexts(), ['line 8']);
});

test('text that is no HuJSON is said with its line, and a click leads there', async () => {
  await typePolicy('{\n  // a comment\n  "ACLs": [\n    nonsense\n  ]\n}\n');
  const alert = page.locator('#preview [role=alert]');
  assert.match(await alert.innerText(), /line 4/);
  await alert.getByRole('button').click();
  assert.equal(await cursorLine(), '    nonsense');
});

test('100,000 nested brackets are an error and the page lives on', async () => {
  await typePolicy('['.repeat(100_000));
  await page.locator('#preview [role=alert]').waitFor();
  await typePolicy(policyText);
  await page.getByLabel('Rules for the user').fill('alice@example.com');
  await page.locator('#preview .rule').waitFor();
});

test('it looks right in the dark and on a narrow screen', async () => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: `${screenshots}dark.png` });
  await page.setViewportSize({ width: 360, height: 800 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(overflow, 0, 'nothing is wider than the screen');
  await page.screenshot({ path: `${screenshots}narrow.png`, fullPage: true });
});
