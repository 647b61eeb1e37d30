// Where the page's client comes from. Must not live here: anything that is shown.
import { TailnetClient } from 'tailnet-kit';
import { Sandbox } from 'tailnet-kit/sandbox';

/** A client of the sandbox that lives in this page. */
export function openSandbox(): TailnetClient {
  const sandbox = new Sandbox();
  return new TailnetClient({
    baseURL: sandbox.baseURL,
    tailnet: 'example.com',
    apiKey: 'tskey-sandbox', // opens nothing but the sandbox, so it may stand in a page
    dangerouslyAllowBrowser: true,
    fetch: sandbox.fetch,
  });
}
