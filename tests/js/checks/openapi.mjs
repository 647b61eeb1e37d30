// The package's OpenAPI document in a validator: it is version 3.1, valid, and its references lead somewhere. Must not live here: what it says,
// which `examples/operation_files` makes of the table of operations.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { HERE } from '../lib/project.mjs'

export default async () => {
  const document = JSON.parse(readFileSync(join(HERE, '../../pkg/openapi.json'), 'utf8'))
  const validator = new Validator()
  const { valid, errors } = await validator.validate(document)
  if (!valid) throw new Error(`not valid: ${typeof errors === 'string' ? errors : JSON.stringify(errors).slice(0, 2000)}`)
  if (validator.version !== '3.1') throw new Error(`version ${validator.version}`)
  validator.resolveRefs()
}
