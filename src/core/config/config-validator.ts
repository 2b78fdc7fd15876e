import { createRequire } from 'node:module'
import type { ErrorObject } from 'ajv'
import { CONFIG_SCHEMA } from './config-schema.ts'

/** ajv's validator of a schema, as the build writes it. */
export interface CompiledValidator {
  (value: unknown): boolean
  errors?: readonly ErrorObject[] | null
}

// Loading ajv takes longer than the rest of the start, so the build replaces this module with ajv's compiled code
// (scripts/build/validators.ts). When the host runs from source, ajv compiles the schema on first use.
const { Ajv2020 } = createRequire(import.meta.url)(
  'ajv/dist/2020.js',
) as typeof import('ajv/dist/2020.js')

export const validateConfig: CompiledValidator = new Ajv2020({ verbose: true }).compile(
  CONFIG_SCHEMA,
)
