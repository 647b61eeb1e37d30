// The dialog that chooses a service. Must not live here: the connection itself.
import { type Child, choose, field, h } from './dom.js';
import { type Connection, SANDBOX_KEY, connect, connection } from './service.js';

const kinds: Record<Connection['kind'], Child[]> = {
  page: ['The sandbox in this page', 'The whole service, in this tab. It ends with the tab.'],
  sandbox: ['A sandbox over HTTP', 'Start one with ', h('code', 'npx tailnet-kit sandbox --port 8081')],
  gateway: [
    'Your own service behind its gateway',
    'The gateway holds the key, not this page. A path of this origin, or a port of this machine.',
  ],
};

/** Asks for a service, and connects to it; `connected` is called when it has answered. */
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
  const open = async ({ kind, tailnet, key, ...addresses }: Record<string, string>) => {
    await connect({ kind, tailnet, baseURL: addresses[kind!] ?? '' } as Connection, key!);
    connected();
  };
  void choose('Connect to', content, [['Cancel'], ['Connect', open, 'primary']]);
}
