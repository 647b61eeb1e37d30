// The page as a whole: address, keyboard, narrow and dark screens, accessibility, what it loads. Must not live here: what a view answers.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { cursorLine, focused, go, here, judge, open, path, screenshots, settled, small, write } from './page.mjs';

test('what one would share is in the address', async () => {
  await open();
  const { page } = here;
  await write(small);
  await page.getByLabel('Rules that concern').fill('bob@example.com');
  await page.waitForFunction(() => /for=bob.*text=|text=.*for=bob/.test(location.hash));
  const other = await page.context().browser().newPage();
  await other.goto(page.url());
  await other.locator('.cm-line', { hasText: '// Who may reach what.' }).waitFor();
  await other.locator('[aria-label=Who] .row .line', { hasText: '8' }).waitFor();
  await other.close();
  await go('DNS');
  assert.match(page.url(), /view=dns/);
  await page.reload();
  await page.getByRole('region', { name: 'Nameservers' }).waitFor();
});

test('a text that was refused from the start is in the address too', async () => {
  await open();
  const { page } = here;
  await write('{"acls": nonsense}');
  await page.waitForFunction(() => location.hash.includes('text='));
  await page.evaluate(() => history.replaceState(null, '', '#'));
  await page.reload();
  await page.getByText('Would be refused').waitFor();
  await page.waitForFunction(() => location.hash.includes('text='));
});

test('a browser of two and a half years ago shares and reads a text, and closes a dialog', async () => {
  const { page } = here;
  await page.addInitScript(() => {
    // What browsers learned later: page and package do without.
    const later = [
      [Uint8Array.prototype, 'toBase64', 'setFromBase64', 'toHex'], [Uint8Array, 'fromBase64', 'fromHex'], [Response.prototype, 'bytes'],
      [HTMLButtonElement.prototype, 'command', 'commandForElement'], [Promise, 'try'], [Array, 'fromAsync'], [Math, 'sumPrecise'], [RegExp, 'escape'],
      [Set.prototype, 'union', 'intersection', 'difference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom', 'symmetricDifference'],
      [Iterator.prototype, 'map', 'filter', 'take', 'drop', 'flatMap', 'reduce', 'toArray', 'forEach', 'some', 'every', 'find'], [Map.prototype, 'getOrInsert'],
      [Error, 'isError'], [URL, 'parse'],
    ];
    for (const [owner, ...names] of later) for (const name of names) delete owner[name];
    addEventListener('command', (event) => event.preventDefault(), true);
  });
  await open();
  await write(small);
  await page.waitForFunction(() => location.hash.includes('text='));
  const link = page.url();
  await page.evaluate(() => sessionStorage.clear());
  await page.goto('about:blank');
  await page.goto(link);
  await page.locator('.cm-line', { hasText: '// Who may reach what.' }).waitFor();
  await page.getByRole('button', { name: /^Connected to/ }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await go('Devices');
  await page.getByRole('rowheader', { name: 'alice-laptop' }).waitFor();
});

test('the foot says how large the wasm is and how long the last answer took', async () => {
  await open();
  await here.page.getByLabel('Rules that concern').fill('bob@example.com');
  await here.page.locator('footer').getByText(/answered in \d/).waitFor();
  assert.match(await here.page.locator('footer').innerText(), /wasm \d+ KiB, \d+ KiB over the wire[\s\S]*answered in [\d.]+ ms/);
});

test('the first view takes less than 180 KiB over the wire with the editor, and needs no wasm', async (t) => {
  await open();
  const sizes = await here.page.evaluate(() =>
    ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type)).map(({ name, transferSize }) => [name.split('/').at(-1), transferSize]),
  );
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  for (const later of ['sandbox', 'client_bg', 'policy_bg', 'text_bg']) {
    assert.ok(!sizes.some(([name]) => name.startsWith(later)), `${later} is not fetched before it is needed`);
  }
  t.diagnostic(`${Math.round(total / 1024)} KiB`);
  assert.ok(total < 180 * 1024, `${Math.round(total / 1024)} KiB: ${JSON.stringify(sizes)}`);
});

test('everything is reached by the keyboard, and nothing holds it', async () => {
  await open();
  const { page } = here;
  const reached = new Set();
  for (let i = 0; i < 90; i++) {
    await page.keyboard.press('Tab');
    reached.add(await focused());
  }
  for (const name of ['Devices', 'Format', 'Policy text', 'Rules that concern', 'From', 'alice@example.com reaches alice@example.com at all through *']) assert.ok(reached.has(name), name);
});

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing in any view, ${colorScheme}`, async () => {
    const { page } = here;
    await page.emulateMedia({ colorScheme });
    await open();
    await page.getByRole('button', { name: 'Show developers the router' }).click();
    await page.locator('td.gained').first().waitFor();
    await page.getByRole('button', { name: 'bob@example.com reaches tag:router' }).hover();
    await judge('gains and losses');
    await page.screenshot({ path: `${screenshots}${colorScheme}.png` });
    const flow = page.getByRole('region', { name: 'One flow' });
    await flow.getByLabel('From').fill('bob@example.com');
    await flow.getByLabel('To', { exact: true }).fill('tag:db:22');
    await flow.getByText('denied').waitFor();
    await page.locator('.cm-content').press('Control+Home');
    await page.keyboard.type('nonsense ');
    await page.getByText('Would be refused').waitFor();
    await judge('policy');
    await page.locator('.cm-content').press('Control+f');
    await page.keyboard.type('tag');
    await page.locator('.cm-search').waitFor();
    const plain = ({ color, backgroundImage }) => backgroundImage === 'none' && color;
    const [button, ink] = await page.evaluate(() => [document.querySelector('.editor').shadowRoot.querySelector('.cm-search button'), document.body].map((element) => {
      const { color, backgroundImage } = getComputedStyle(element);
      return { color, backgroundImage };
    }));
    assert.equal(plain(button), plain(ink), 'the buttons of the search are drawn as all others are');
    await judge('search');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.locator('.cm-selectionMatch').first().waitFor();
    await judge('the same words elsewhere');
    await page.locator('summary', { hasText: 'File' }).click();
    await judge('file menu');
    await page.keyboard.press('Escape');
    await go('Review');
    await page.getByText('Nothing changes in meaning.').waitFor();
    await page.getByRole('textbox', { name: 'Text after' }).fill('{"acls": [{"action": "accept", "src": ["*"], "dst": ["*:22"]}]}');
    await page.getByRole('region', { name: 'Open to many' }).waitFor();
    await judge('review');
    await go('Devices');
    await page.getByRole('button', { name: '1 active' }).click();
    await page.getByLabel('Enable another prefix').fill('10.9.8.7/16');
    await page.getByRole('button', { name: 'Use 10.9.0.0/16' }).waitFor();
    await judge('devices');
    await page.getByRole('button', { name: 'Delete build-box' }).click();
    await judge('dialog');
    await page.keyboard.press('Escape');
    await go('DNS');
    await page.getByRole('region', { name: 'Nameservers' }).waitFor();
    await page.getByRole('region', { name: 'Nameservers' }).getByRole('textbox').fill('1.1.1.256');
    await page.getByRole('region', { name: 'Search paths' }).getByRole('textbox').fill('');
    await page.getByText('Without a search path').waitFor();
    await judge('dns');
    await page.getByRole('button', { name: /^Connected to/ }).click();
    for (const kind of ['The sandbox in this page', 'A sandbox over HTTP', 'Your own service']) {
      await page.getByRole('radio', { name: kind }).check();
      await judge(kind);
    }
    here.expected.push('404');
    await page.getByLabel('Address of the gateway').fill('/nowhere');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await judge('a refused connection');
  });
}

for (const width of [360, 768, 1024, 1440]) {
  test(`it fits a screen of ${width} pixels`, async () => {
    await here.page.setViewportSize({ width, height: 800 });
    await open();
    const overflow = () => here.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(await overflow(), 0);
    if (width === 360) await here.page.screenshot({ path: `${screenshots}narrow.png` });
    await here.page.getByRole('button', { name: 'Take bob out of group:dev' }).click();
    await here.page.locator('td.lost').first().waitFor();
    assert.equal(await overflow(), 0);
    if (!process.env.BLESS) await here.page.screenshot({ path: `${screenshots}policy-${width}.png` });
    await go('Review');
    await here.page.getByText('Nothing changes in meaning.').waitFor();
    assert.equal(await overflow(), 0);
    await go('Devices');
    await here.page.getByRole('rowheader', { name: 'alice-laptop' }).waitFor();
    assert.equal(await overflow(), 0);
    await here.page.getByRole('button', { name: '1 active' }).click();
    assert.equal(await overflow(), 0);
    const beyond = await here.page.locator('.unfold').evaluateAll((buttons) =>
      buttons.map((button) => button.getBoundingClientRect().right - button.parentElement.getBoundingClientRect().right));
    assert.ok(beyond.every((pixels) => pixels <= 0.5), `no button is wider than its place: ${beyond}`);
    if (!process.env.BLESS) await here.page.screenshot({ path: `${screenshots}devices-${width}.png` });
    const [table, place] = await Promise.all(['.devices', '#devices > .card'].map((css) => here.page.locator(css).boundingBox()));
    assert.ok(table.width <= place.width, `the table is whole: ${table.width} in ${place.width}`);
    await go('DNS');
    await here.page.getByRole('region', { name: 'Nameservers' }).waitFor();
    assert.equal(await overflow(), 0);
  });
}

test('on a narrow screen a rule that is chosen below the editor is shown in it', async () => {
  const { page } = here;
  await page.setViewportSize({ width: 360, height: 740 });
  await open();
  await page.locator('[aria-label=Tests] .row').last().click();
  const inView = () => page.locator('.editor').evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
  assert.equal(await inView(), true);
  assert.match(await cursorLine(), /"tag:web", "accept"/);
});

/** Serves the built files as the plainest of hosts would: without a header of its own, below a path. */
async function plainHost() {
  const types = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', wasm: 'application/wasm', txt: 'text/plain' };
  const server = createServer(async ({ url }, response) => {
    const name = url.replace(/^\/some\/path\//, '').split('?')[0] || 'index.html';
    const body = await readFile(path(`www/dist/${name}`)).catch(() => undefined);
    response.writeHead(body ? 200 : 404, { 'content-type': types[name.split('.').at(-1)] ?? 'text/plain' }).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  here.services.push(() => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))));
  const origin = `http://127.0.0.1:${server.address().port}/`;
  here.expected.push(origin);
  return `${origin}some/path/`;
}

for (const [host, address] of [['its own server', async () => here.origin], ['any static host', plainHost]]) {
  test(`the Content-Security-Policy is strict behind ${host}: styles are files of the page, and the editor has its own`, async () => {
    const { page } = here;
    const answer = await page.goto(await address());
    await page.locator('.cm-content').waitFor();
    await settled();
    const policy = answer.headers()['content-security-policy'] ?? (await page.locator('meta[http-equiv=Content-Security-Policy]').getAttribute('content'));
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'self' 'wasm-unsafe-eval'(;|$)/);
    assert.match(policy, /style-src 'self'(;|$)/);
    assert.equal((await page.request.get(new URL('elsewhere', page.url()).href)).status(), 404);
    assert.match(await (await page.request.get(new URL('reference.txt', page.url()).href)).text(), /^# tailnet-kit/);
    assert.match(await page.locator('#version').innerText(), /^tailnet-kit \d+\.\d+\.\d+( at [0-9a-f]{7,})?$/);
    const gutters = await page.locator('.cm-gutters').evaluate((element) => getComputedStyle(element).display);
    assert.equal(gutters, 'flex', 'the editor has its styles');
    here.expected.push('style-src', 'inline style');
    const injected = await page.evaluate(() => {
      document.body.insertAdjacentHTML('beforeend', '<style>main { display: none }</style><p id="injected" style="display: none"></p>');
      return ['main', '#injected'].map((css) => getComputedStyle(document.querySelector(css)).display);
    });
    assert.deepEqual(injected, ['block', 'block'], 'injected styles are not');
  });
}
