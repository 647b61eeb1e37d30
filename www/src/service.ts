// The service the page talks to, and the client of it. Must not live here: what it answers; a stored key.
import { type AclText, type Device, TailnetClient } from 'tailnet-kit/slim';
import type { Sandbox, SandboxState } from 'tailnet-kit/sandbox';
import example from 'virtual:example';
import { the } from './dom.js';
import { answered, once, start } from './kit.js';
import { keep, recall, typeFor } from './storage.js';

export type Connection = { kind: 'page' | 'sandbox' | 'gateway'; baseURL: string; tailnet: string };

/** Opens nothing but sandboxes, so it may stand in a page. */
export const SANDBOX_KEY = 'tskey-sandbox';
const inPage: Connection = { kind: 'page', baseURL: '', tailnet: 'example.com' };

/** Where the page is connected to. */
export let connection = recall<Connection>('connection') ?? inPage;
let sandbox: Sandbox | undefined;

/** What the page says of a connection. */
export const described = ({ kind, baseURL, tailnet } = connection) =>
  `${kind === 'page' ? 'Sandbox in this page' : baseURL} · ${tailnet}`;
typeFor(described());

/** The client of the service; what it needs is fetched with the first call. */
export let client = once(() => open(connection, SANDBOX_KEY));

/** Changes to another service if it answers. The key stays in this page's memory. */
export async function connect(wanted: Connection, key: string): Promise<void> {
  const candidate = await open(wanted, key);
  await candidate.dns.nameservers.get();
  [connection, client] = [wanted, async () => candidate];
  keep('connection', wanted);
  typeFor(described());
}

/** The policy and devices to begin with. Those of the untouched sandbox were asked of it when the page was built. */
export async function beginning(): Promise<{ acl: AclText; devices: Device[] }> {
  if (described() === described(inPage) && !recall('sandbox')) return example;
  const service = await client();
  const [acl, devices] = await Promise.all([service.acl.get(), service.devices.list({ fields: 'all' })]);
  return { acl, devices };
}

async function open({ kind, baseURL, tailnet }: Connection, key: string): Promise<TailnetClient> {
  await start();
  // A gateway has the key. Any other service is a sandbox, whose key opens nothing of value.
  const access = { tailnet, apiKey: kind === 'gateway' ? null : key, dangerouslyAllowBrowser: true, maxRetries: 0 };
  if (kind !== 'page') return new TailnetClient({ ...access, baseURL, fetch: timed(fetch) });
  const { Sandbox } = await import('tailnet-kit/sandbox');
  sandbox ??= new Sandbox({ state: recall<SandboxState>('sandbox') });
  return new TailnetClient({ ...access, apiKey: SANDBOX_KEY, baseURL: sandbox.baseURL, fetch: timed(sandbox.fetch) });
}

/** Says how long each answer took, and keeps what it changed in the sandbox for after a reload. */
function timed(call: typeof fetch): typeof fetch {
  return async (input, init) => {
    const [start, before] = [performance.now(), sandbox?.revision];
    const request = new Request(input, init);
    let response: Response | undefined;
    try {
      response = await call(request);
    } finally {
      the('connection').classList.toggle('unreachable', !response);
    }
    const path = new URL(request.url).pathname.split('/').slice(-2).join('/');
    answered(`${request.method} …/${path}`, performance.now() - start);
    if (sandbox?.revision !== before) keep('sandbox', sandbox?.snapshot());
    return response;
  };
}
