// Clients of the scripted server, and the requests that it got. Must not live here: cases.

export const KEY = 'tskey-scripted'
/** The key as Basic credentials: user name, empty password. */
export const BASIC = 'Basic dHNrZXktc2NyaXB0ZWQ6'

/** A script: `client(options)` talks to it alone, `log()` returns its requests. */
export const scripts =
  ({ kit, baseURL }) =>
  (name) => {
    const id = crypto.randomUUID()
    const base = `${baseURL}/faults/${name}/${id}`
    const client = (options = {}) => new kit.TailnetClient({ baseURL: base, apiKey: KEY, tailnet: 'example.com', dangerouslyAllowBrowser: true, ...options })
    const log = async () => (await fetch(`${baseURL}/faults-log/${id}`)).json()
    return { base, client, log }
  }

/** A client over a function in place of `fetch`, which is called with a Request. */
export const over =
  ({ kit }) =>
  (answer, options = {}) =>
    new kit.TailnetClient({
      baseURL: 'https://api.example.com',
      apiKey: KEY,
      tailnet: 'example.com',
      dangerouslyAllowBrowser: true,
      fetch: async (input, init) => answer(new Request(input, init)),
      ...options,
    })

/** What ends soon takes less, in milliseconds, however busy the machine is: a client's own limit and the pauses of the scripts are longer. */
export const SOON = 15_000

export const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
