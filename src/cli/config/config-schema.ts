import { SERVER_SCHEMA } from '@braidwork/server/internal'
import { jsonText } from '../characters.ts'
import { EXIT, reportDiagnostics } from '../exit.ts'
import { openHost } from '../open-host.ts'
import type { ConfigOptions } from '../options.ts'
import { described } from './key-descriptions.ts'
import { specSchemas } from './spec-schemas.ts'

/** `braidwork config schema`: prints the JSON Schema of a config file with the available plugins, for editors. */
export async function configSchemaCommand(options: ConfigOptions): Promise<number> {
  const { host, diagnostics } = await openHost(options)
  await using _ = host
  const { schema, diagnostics: found } = await host.editorSchema()
  reportDiagnostics([...diagnostics, ...host.diagnostics, ...found])
  const { properties } = schema as { readonly properties: { readonly [key: string]: unknown } }
  const own = { ...specSchemas(properties), server: SERVER_SCHEMA }
  const all = { ...schema, properties: { ...properties, ...own }, additionalProperties: false }
  process.stdout.write(`${jsonText(described(all), 2)}\n`)
  return EXIT.ok
}
