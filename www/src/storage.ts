// What survives a reload of this tab: edited texts, the sandbox's state, the connection.
// Must not live here: a key that opens anything.

let service = ''

/** Sets the service that typed text belongs to from now on. */
export const typeFor = (name: string) => void (service = name)

/** The name under which unsaved text is kept; each service has its own names. */
export const typed = (name: string, of = service) => `typed for ${of}: ${name}`

/** Keeps a value for this tab. */
export function keep(name: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, JSON.stringify(value))
  } catch {
    // A browser may refuse to store; then only a reload loses what was typed.
  }
}

/** What was kept under this name. */
export function recall<T>(name: string): T | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? '') as T
  } catch {
    return undefined
  }
}

/** Drops what was kept for the service in use, and only that. */
export function forget(): void {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(typed(''))) sessionStorage.removeItem(name)
}
