// The dialog that chooses a service. Must not live here: the connection itself.
import { attempt, the } from './dom.js';
import { type Connection, SANDBOX_KEY, connect, connected } from './service.js';

const dialog = the('connect');
const form = dialog.querySelector('form')!;

/** Shows the dialog; `changed` is called once the page talks to the service that was chosen. */
export function askConnection(changed: () => void): void {
  const { kind, baseURL, tailnet } = connected();
  for (const [name, value] of Object.entries({ kind, [kind]: baseURL, tailnet, key: SANDBOX_KEY })) {
    const field = form.elements.namedItem(name) as HTMLInputElement | null;
    if (field) field.value = value;
  }
  form.onsubmit = (event) => {
    event.preventDefault();
    const { kind, tailnet, key, ...addresses } = Object.fromEntries(new FormData(form)) as Record<string, string>;
    void attempt(the('connect-said'), async () => {
      await connect({ kind, tailnet, baseURL: addresses[kind!] ?? '' } as Connection, key!);
      dialog.close();
      changed();
    });
  };
  the('connect-cancel').onclick = () => dialog.close();
  the('connect-said').replaceChildren();
  dialog.showModal();
}
