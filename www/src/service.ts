// The service the page talks to, the client of it, and the dialog that chooses it. Must not live here: what it answers; a
// stored key.
import { type AclText, type Device, TailnetClient } from 'tailnet-kit/slim';
import type { Sandbox, SandboxState } from 'tailnet-kit/sandbox';
import example from 'virtual:example';
import { type Child, choose, field, h, the } from './dom.js';
import { answered, once, start } from './kit.js';
import { keep, recall, typeFor } from './storage.js';

type Connection = { kind: 'page' | 'sandbox' | 'gateway'; baseURL: string; tailnet: string };

/** Opens nothing but sandboxes, so it may stand in a page. */
const SANDBOX_KEY = 'tskey-sandbox';
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

/** The policy and devices to begin with. Those of the untouched sandbox were asked of it when the page was built. */
export async function beginning(): Promise<{ acl: AclText; devices: Device[] }> {
  if (described() === described(inPage) && !recall('sandbox')) return example;
  const { acl, devices } = await client();
  const [stored, all] = await Promise.all([acl.get(), devices.list({ fields: 'all' })]);
  return { acl: stored, devices: all };
}

async function open({ kind, baseURL, tailnet }: Connection, key: string): Promise<TailnetClient> {
  await start();
  // A gateway has the key. Any other service is a sandbox, whose key opens nothing of value.
  const access = { tailnet, apiKey: kind === 'gateway' ? null : key, dangerouslyAllowBrowser: true, maxRetries: 0 };
  if (kind !== 'page') return new TailnetClient({ ...access, baseURL, fetch: watched(fetch) });
  const { Sandbox } = await import('tailnet-kit/sandbox');
  sandbox ??= new Sandbox({ state: recall<SandboxState>('sandbox') });
  return new TailnetClient({ ...access, apiKey: SANDBOX_KEY, baseURL: sandbox.baseURL, fetch: watched(sandbox.fetch) });
}

/** Says whether answers come, and how long the last one took; keeps what it changed in the sandbox for after a reload. */
const watched = (call: typeof fetch): typeof fetch => async (input, init) => {
  const [begin, before, request] = [performance.now(), sandbox?.revision, new Request(input, init)];
  const unreachable = (yes: boolean) => the('connection').classList.toggle('unreachable', yes);
  const response = await call(request).catch((error) => {
    unreachable(true);
    throw error;
  });
  unreachable(false);
  answered(`${request.method} …/${new URL(request.url).pathname.split('/').slice(-2).join('/')}`, begin);
  if (sandbox?.revision !== before) keep('sandbox', sandbox?.snapshot());
  return response;
};

const kinds: Record<Connection['kind'], Child[]> = {
  page: ['The sandbox in this page', 'The whole service, in this tab. It ends with the tab.'],
  sandbox: ['A sandbox over HTTP', 'Start one with ', h('code', 'npx tailnet-kit sandbox --port 8081')],
  gateway: [
    'Your own service behind its gateway',
    'The gateway holds the key, not this page. A path of this origin, or a port of this machine.',
  ],
};

/** Asks for a service, and changes to it if it answers; then calls `connected`. The key stays in this page's memory. */
export function chooseService(connected: () => void): void {
  const { kind: now, baseURL, tailnet } = connection;
  const choice = ([kind, [title, ...about]]: [string, Child[]]) => {
    const box = h('input', { type: 'radio', name: 'kind', value: kind, checked: kind === now });
    return h('label.choice', box, h('span', title, ' ', h('small', ...about)));
  };
  const address = (kind: Connection['kind'], usual: string) =>
    field(`Address of the ${kind}`, h('input', { name: kind, value: kind === now ? baseURL : usual }));
  const key = h('input', { name: 'key', type: 'password', value: SANDBOX_KEY, autocomplete: 'off' });
  const content = [
    ...Object.entries(kinds).map(choice),
    h('div.of-sandbox', address('sandbox', 'http://127.0.0.1:8081'), field('Its API key, kept nowhere', key)),
    h('div.of-gateway', address('gateway', '/gateway')),
    field('Tailnet', h('input', { name: 'tailnet', value: tailnet })),
  ];
  const connect = async ({ kind, tailnet, key, ...addresses }: Record<string, string>) => {
    const wanted = { kind, tailnet, baseURL: addresses[kind!] ?? '' } as Connection;
    const candidate = await open(wanted, key!);
    await candidate.dns.nameservers.get();
    [connection, client] = [wanted, async () => candidate];
    keep('connection', wanted);
    typeFor(described());
    connected();
  };
  void choose('Connect to', content, [['Cancel'], ['Connect', connect, 'primary']]);
}
