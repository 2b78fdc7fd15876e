import { createRequire } from 'node:module'
import type { JsonObject } from '@braidwork/plugin'
import { build } from 'esbuild'

const require = createRequire(import.meta.url)
const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
const { default: standaloneCode } = require('ajv/dist/standalone/index.js') as {
  default: (ajv: object, validate: object) => string
}

/**
 * Keywords whose checks need code of the host: RE2 expressions, references, whose number is limited, and multiples, which
 * it judges as decimal numbers.
 */
const NEEDS_HOST = new Set(['x-syntax', '$ref', '$dynamicRef', 'multipleOf'])

/** The keywords that the host's compiler treats differently from ajv's default, in `src/core/config/json-schema.ts`. */
const OPTIONS = {
  strict: false,
  validateSchema: false,
  validateFormats: false,
  ownProperties: true,
  verbose: true,
  code: { source: true, esm: true },
}

/** Compiles a schema to a module whose default export is the validator. Undefined if only the host can check it. */
export function validatorCode(schema: JsonObject): string | undefined {
  if (keysOf(schema).some((key) => NEEDS_HOST.has(key))) return undefined
  const ajv = new Ajv2020(OPTIONS)
  return standaloneCode(ajv, ajv.compile(schema))
}

/** All keys in a JSON value, at any depth. */
function keysOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = Array.isArray(value) ? [] : Object.keys(value)
  return [...own, ...Object.values(value).flatMap(keysOf)]
}

/**
 * The code with the parts of ajv in it that it needs when it runs. Nobody reads generated code, and V8 loads less of it
 * in less time.
 */
export async function selfContained(code: string): Promise<string> {
  const stdin = { contents: code, resolveDir: import.meta.dirname }
  const { outputFiles } = await build({
    stdin,
    bundle: true,
    write: false,
    format: 'esm',
    minify: true,
  })
  return outputFiles[0]?.text ?? ''
}
