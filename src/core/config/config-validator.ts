import { createRequire } from 'node:module'
import type { ErrorObject } from 'ajv'
import { CONFIG_SCHEMA } from './config-schema.ts'

/** ajv's validator of a schema, as it is written into the build. */
export interface CompiledValidator {
  (value: unknown): boolean
  errors?: readonly ErrorObject[] | null
}

// Loading ajv takes longer than the rest of the start together, so the build puts ajv's compiled code
// in this module's place (scripts/compile-validators.ts); from source it is compiled when first loaded.
const { Ajv2020 } = createRequire(import.meta.url)(
  'ajv/dist/2020.js',
) as typeof import('ajv/dist/2020.js')

export const validateConfig: CompiledValidator = new Ajv2020({ verbose: true }).compile(
  CONFIG_SCHEMA,
)
