// The DNS settings as a person would try them. Must not live here: devices, the policy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { go, here, open } from './page.mjs';
import { connect, hold, sandboxOverHTTP } from './services.mjs';

test('emptying the nameservers warns, turns MagicDNS off, and the refusal to turn it on is shown as it came', async () => {
  await open();
  await go('DNS');
  const { page } = here;
  const servers = page.getByRole('region', { name: 'Nameservers' });
  await servers.getByRole('textbox').fill('');
  await servers.getByText('MagicDNS goes off').waitFor();
  await servers.getByRole('button', { name: 'Save' }).click();
  await servers.getByText('Saved.').waitFor();
  const magic = page.getByRole('region', { name: 'MagicDNS' });
  assert.equal(await magic.getByRole('checkbox').isChecked(), false);
  await magic.getByRole('checkbox').click();
  const refusal = await magic.getByRole('alert').innerText();
  assert.match(refusal, /nameserver/);
  assert.match(refusal, /\(4\d\d\)/);
  assert.equal(await magic.getByRole('checkbox').isChecked(), false);
});

test('entries are checked while typing, and what is typed survives a reload', async () => {
  await open();
  await go('DNS');
  const { page } = here;
  const servers = page.getByRole('region', { name: 'Nameservers' });
  await servers.getByRole('textbox').fill('1.1.1.1\n1.1.1.256');
  await servers.getByText('1.1.1.256: a number of an IPv4 address is at most 255').waitFor();
  const paths = page.getByRole('region', { name: 'Search paths' });
  await paths.getByRole('textbox').fill('corp.example.com');
  await paths.getByRole('button', { name: 'Save' }).click();
  await paths.getByText('Saved.').waitFor();
  await page.reload();
  await servers.getByRole('textbox').waitFor();
  assert.equal(await servers.getByRole('textbox').inputValue(), '1.1.1.1\n1.1.1.256');
  assert.equal(await paths.getByRole('textbox').inputValue(), 'corp.example.com');
});

test('what is typed while the answer to a save is under way stays', async () => {
  const service = await sandboxOverHTTP();
  await open();
  await connect('A sandbox over HTTP', service.url);
  await go('DNS');
  const { page } = here;
  const answer = await hold(service);
  const paths = page.getByRole('region', { name: 'Search paths' });
  const asked = page.waitForRequest((request) => request.method() === 'POST');
  await paths.getByRole('textbox').fill('a.example.com');
  await paths.getByRole('button', { name: 'Save' }).click();
  await asked;
  await paths.getByRole('textbox').fill('a.example.com\nb.example.com');
  answer();
  await paths.getByText('Saved.').waitFor();
  assert.equal(await paths.getByRole('textbox').inputValue(), 'a.example.com\nb.example.com');
  assert.deepEqual(await service.other.dns.searchPaths.get(), { searchPaths: ['a.example.com'] });
  assert.equal(await paths.getByRole('button', { name: 'Save' }).isEnabled(), true);
});
