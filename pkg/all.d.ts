// Declarations of `tailnet-kit/all`. Must not live here: names of one part (`types/`).

export * from './index.js'
export { createGateway, type GatewayOptions } from './gateway.js'
