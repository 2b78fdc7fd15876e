import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { JsonObject } from '@braidwork/plugin'
import { selfContained, validatorCode } from './validator-code.ts'

/** A schema that a module of a package exports. */
interface Declared {
  /** The path of its file in the folder, without `.js`. */
  readonly module: string
  readonly name: string
}

/** The schemas of what a config declares, by the folders whose module `REGISTERING` is to register their validators. */
const DECLARED: { readonly [folder: string]: readonly Declared[] } = {
  'src/agent/dist': [
    { module: 'specs/agent-spec', name: 'AGENT_SPEC_SCHEMA' },
    { module: 'specs/model-spec', name: 'MODEL_SPEC_SCHEMA' },
    { module: 'specs/model-pool', name: 'MODEL_POOL_SCHEMA' },
    { module: 'stop/stop-conditions', name: 'STOP_CONDITIONS_SCHEMA' },
  ],
  'src/server/dist/options': [{ module: 'server-schema', name: 'SERVER_SCHEMA' }],
}

/** As `tsc` writes it, it registers none: where the host runs from source, ajv compiles a schema on first use. */
const REGISTERING = 'built-validators.js'

/** Compiles the schemas of what a config declares, and has their packages register the validators. */
export async function compileDeclaredValidators(): Promise<void> {
  const folders = Object.entries(DECLARED)
  await Promise.all(
    folders.map(async ([folder, schemas]) => {
      await Promise.all(schemas.map((schema) => writeValidator(folder, schema)))
      await writeFile(join(folder, REGISTERING), registering(schemas))
    }),
  )
}

async function writeValidator(folder: string, { module, name }: Declared): Promise<void> {
  const path = resolve(folder, `${module}.js`)
  const { [name]: schema = {} } = (await import(pathToFileURL(path).href)) as {
    readonly [name: string]: JsonObject
  }
  const code = validatorCode(schema)
  if (code === undefined) throw new Error(`Only the host can check the schema ${name} of ${path}.`)
  await writeFile(join(folder, validatorOf(module)), await selfContained(code))
}

function registering(schemas: readonly Declared[]): string {
  const imports = schemas.map(({ module, name }) => `import { ${name} } from './${module}.js'`)
  const calls = schemas.map(
    ({ module, name }) =>
      `  registerValidator(${name}, async () => (await import('./${validatorOf(module)}')).default)`,
  )
  return `import { registerValidator } from '@braidwork/plugin/internal'
${imports.join('\n')}

export function registerBuiltValidators() {
${calls.join('\n')}
}
`
}

function validatorOf(module: string): string {
  return `${module}-validator.js`
}
