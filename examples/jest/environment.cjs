// The environment of tests whose page calls a service: jsdom, and what it leaves out of Node. Must not live here: tests.

const { TestEnvironment } = require('jest-environment-jsdom')

module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup()
    Object.assign(this.global, { fetch, Headers, Request, Response, TextDecoder, TextEncoder })
  }
}
