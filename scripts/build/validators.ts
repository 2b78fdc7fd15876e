import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { JsonObject } from '@braidwork/plugin'
import { CONFIG_SCHEMA } from '../../src/core/config/config-schema.ts'
import { selfContained, validatorCode } from './validator-code.ts'
import { type Workspace, workspaces } from './workspaces.ts'

const require = createRequire(import.meta.url)
const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
const { default: standaloneCode } = require('ajv/dist/standalone/index.js') as {
  default: (ajv: object, exports: { readonly [name: string]: string }) => string
}

/** The door of a plugin that registers its validator; in `dist`, beside the `index.js` that `tsc` writes. */
export const REGISTERING = 'registering.js'

/** Replaces the module that compiles the config's validator with ajv's compiled code, so that a start loads no ajv. */
export async function compileConfigValidator(): Promise<void> {
  const ajv = new Ajv2020({ verbose: true, code: { source: true, esm: true } })
  ajv.addSchema(CONFIG_SCHEMA, '#config')
  const code = standaloneCode(ajv, { validateConfig: '#config' })
  await writeFile('src/core/dist/config/config-validator.js', await selfContained(code))
}

/** Compiles the settings of each shipped TypeScript plugin, for the bundle of its package to include. */
export async function compileSettingsValidators(): Promise<void> {
  await Promise.all((await workspaces()).map(compileSettings))
}

async function compileSettings({ folder, manifest }: Workspace): Promise<void> {
  const [plugin, ...others] = manifest.braidwork?.plugins ?? []
  if (!plugin?.entry.endsWith('.js')) return
  if (others.length > 0) throw new Error(`${folder} has several plugins; the build expects one.`)
  const { default: built } = (await import(
    pathToFileURL(resolve(folder, 'dist/index.js')).href
  )) as { readonly default: { readonly configSchema?: JsonObject } }
  const code = built.configSchema && validatorCode(built.configSchema)
  await writeFile(join(folder, 'dist', REGISTERING), code ? REGISTER : PASS_ON)
  if (code)
    await writeFile(join(folder, 'dist', 'settings-validator.js'), await selfContained(code))
}

const PASS_ON = `export * from './index.js'
export { default } from './index.js'
`

const REGISTER = `import { registerValidator } from '@braidwork/plugin/internal'
import plugin from './index.js'

registerValidator(plugin.configSchema, async () => (await import('./settings-validator.js')).default)
${PASS_ON}`
