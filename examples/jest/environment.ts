// The environment of tests whose page calls a service: jsdom, and what it leaves out of Node. Must not live here: tests.

import { TestEnvironment } from 'jest-environment-jsdom'

export default class extends TestEnvironment {
  override async setup() {
    await super.setup()
    Object.assign(this.global, { fetch, Headers, Request, Response, TextDecoder, TextEncoder })
  }
}
