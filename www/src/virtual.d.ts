// What the build makes (vite.config.ts), and files of the elements that have no declarations. Must not live here: types of the kit.
declare module 'virtual:example' {
  import type { AclText, Device } from 'tailnet-kit'
  const example: { acl: AclText; edited: string; devices: Device[]; answers: Record<string, unknown>; language: Record<string, unknown> }
  export default example
}

declare module '*/elements/common/judge.js' {
  export const judge: <Answer>(verb: string, ...args: unknown[]) => Promise<Answer>
}
declare module '*/elements/policy/service.js' {
  export const service: Record<string, (...args: unknown[]) => unknown>
}
