// The package's OpenAPI document in a validator: it is version 3.1, valid, its references lead somewhere, and each example of a body fits its schema.
// Must not live here: what it says, which `examples/operation_files` makes of the table of operations.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import Ajv2020 from 'ajv/dist/2020.js'
import { HERE } from '../lib/project.mjs'

export default async () => {
  const document = JSON.parse(readFileSync(join(HERE, '../../pkg/openapi.json'), 'utf8'))
  const validator = new Validator()
  const { valid, errors } = await validator.validate(document)
  if (!valid) throw new Error(`not valid: ${typeof errors === 'string' ? errors : JSON.stringify(errors).slice(0, 2000)}`)
  if (validator.version !== '3.1') throw new Error(`version ${validator.version}`)
  const { paths } = validator.resolveRefs()
  const ajv = new Ajv2020({ strict: false })
  let examples = 0
  for (const operation of Object.values(paths).flatMap(Object.values)) {
    for (const { content = {} } of [operation.requestBody, ...Object.values(operation.responses)].filter(Boolean)) {
      for (const { schema, example } of Object.values(content)) {
        if (example === undefined) continue
        examples++
        if (!ajv.validate(schema, example)) throw new Error(`${operation.operationId}: ${ajv.errorsText()}`)
      }
    }
  }
  return `${examples} examples fit their schemas`
}
