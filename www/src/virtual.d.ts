// What the build makes (vite.config.ts). Must not live here: types of the kit.
declare module 'virtual:example' {
  import type { AclText, Device } from 'tailnet-kit'
  const example: { acl: AclText; devices: Device[]; answers: Record<string, unknown>; language: Record<string, unknown> }
  export default example
}

/** The commit that the page was built from, or nothing. */
declare const __COMMIT__: string

declare module '*/elements/policy/differences.js' {
  /** Marks in a gutter at each line that differs from a base. */
  export const marks: (base: string) => import('@codemirror/state').Extension
}
