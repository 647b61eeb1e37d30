// The program of CommonJS: requires the entries, runs the cases, prints their outcomes.

const kit = require('tailnet-kit')
const gateway = require('tailnet-kit/gateway')
const headscale = require('tailnet-kit/headscale')
const language = require('tailnet-kit/language')
const sandbox = require('tailnet-kit/sandbox')

const [runtime, baseURL] = process.argv.slice(2)
import('./cases/index.mjs')
  .then(({ runCases }) => runCases({ kit, sandbox, gateway, headscale, language, runtime, baseURL }))
  .then((outcomes) => console.log(JSON.stringify(outcomes)))
