// The service the page talks to, and the client of it. Must not live here: anything that is shown; a stored key.
import { type AclText, type Device, TailnetClient } from 'tailnet-kit/slim';
import type { Sandbox, SandboxState } from 'tailnet-kit/sandbox';
import example from 'virtual:example';
import { answered } from './footer.js';
import { start } from './kit.js';
import { keep, recall } from './storage.js';

export interface Connection {
  kind: 'page' | 'sandbox' | 'gateway';
  baseURL: string;
  tailnet: string;
}

/** Opens nothing but sandboxes, so it may stand in a page. */
export const SANDBOX_KEY = 'tskey-sandbox';
export const inPage: Connection = { kind: 'page', baseURL: '', tailnet: 'example.com' };

let connection = recall<Connection>('connection') ?? inPage;
let opened: Promise<TailnetClient> | undefined;
let sandbox: Promise<Sandbox> | undefined;

/** Where the page is connected to. */
export const connected = (): Connection => connection;

/** The client of the service; what it needs is fetched with the first call. */
export const client = (): Promise<TailnetClient> => (opened ??= open(connection, SANDBOX_KEY));

/** Changes to another service if it answers. The key stays in this page's memory. */
export async function connect(wanted: Connection, key: string): Promise<void> {
  const candidate = await open(wanted, key);
  await candidate.dns.nameservers.get();
  [connection, opened] = [wanted, Promise.resolve(candidate)];
  keep('connection', wanted.kind === 'page' ? undefined : wanted);
}

/** The policy and the devices to begin with. Those of the untouched sandbox were asked of it when the page was built. */
export async function beginning(): Promise<{ acl: AclText; devices: Device[] }> {
  if (connection.kind === 'page' && !recall('sandbox')) return example;
  const { acl, devices } = await client();
  const [text, list] = await Promise.all([acl.get(), devices.list({ fields: 'all' })]);
  return { acl: text, devices: list };
}

/** Puts the sandbox in this page back to how it began. */
export async function reset(): Promise<void> {
  keep('sandbox', undefined);
  opened = sandbox = undefined;
}

async function open({ kind, baseURL, tailnet }: Connection, key: string): Promise<TailnetClient> {
  await start();
  if (kind === 'gateway') return new TailnetClient({ baseURL, tailnet, apiKey: null, fetch: timed(fetch) });
  const guest = { tailnet, apiKey: key, dangerouslyAllowBrowser: true, maxRetries: 0 };
  if (kind === 'sandbox') return new TailnetClient({ ...guest, baseURL, fetch: timed(fetch) });
  const service = await (sandbox ??= startSandbox());
  return new TailnetClient({ ...guest, apiKey: SANDBOX_KEY, baseURL: service.baseURL, fetch: timed(remembering(service)) });
}

async function startSandbox(): Promise<Sandbox> {
  const { Sandbox } = await import('tailnet-kit/sandbox');
  return new Sandbox({ state: recall<SandboxState>('sandbox') });
}

/** What was saved to the sandbox is still there after a reload. */
const remembering =
  (service: Sandbox): typeof fetch =>
  async (input, init) => {
    const { revision } = service;
    const response = await service.fetch(input, init);
    if (service.revision !== revision) keep('sandbox', service.snapshot());
    return response;
  };

const timed =
  (call: typeof fetch): typeof fetch =>
  async (input, init) => {
    const start = performance.now();
    const request = new Request(input, init);
    const response = await call(request);
    answered(`${request.method} …/${new URL(request.url).pathname.split('/').slice(-2).join('/')}`, performance.now() - start);
    return response;
  };
