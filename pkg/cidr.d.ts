// Declarations of `tailnet-kit/cidr`. Must not live here: names of one part (`types/`).

export * from './types/cidr.js';
export * from './types/errors.js';
export { version } from './types/version.js';
