/**
 * A step of the build: replaces the module that compiles the config's validator at load time with ajv's compiled
 * validator, so that the start does not load ajv.
 */
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { CONFIG_SCHEMA } from '../src/core/config/config-schema.ts'

const require = createRequire(import.meta.url)
const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
const { default: standaloneCode } = require('ajv/dist/standalone/index.js') as {
  default: (ajv: object, exports: { readonly [name: string]: string }) => string
}

const ajv = new Ajv2020({ verbose: true, code: { source: true, esm: true } })
ajv.addSchema(CONFIG_SCHEMA, '#config')
const code = standaloneCode(ajv, { validateConfig: '#config' })
if (code.includes('require('))
  throw new Error('The compiled validator needs a part of ajv at run time.')
await writeFile(new URL('../src/core/dist/config/config-validator.js', import.meta.url), code)
