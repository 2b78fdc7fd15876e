import { HOST_NAME, SERVER_SCHEMA } from '@braidwork/server/internal'
import { jsonText } from '../characters.ts'
import { EXIT, reportDiagnostics } from '../exit.ts'
import { openHost } from '../open-host.ts'
import type { ConfigOptions } from '../options.ts'
import { described } from './key-descriptions.ts'
import type { Schema } from './map-schemas.ts'
import { agentFileSchema, publishedConfigSchema, specSchemas } from './spec-schemas.ts'
import { withReferences } from './with-references.ts'

/** `braidwork config schema`: prints the JSON Schema of a config file with the available plugins, for editors. */
export async function configSchemaCommand(options: ConfigOptions): Promise<number> {
  return print(options, (schema) => described(wholeSchema(schema)))
}

/** `braidwork agents schema`: prints the JSON Schema of `agents/<id>.json` with the available plugins, for editors. */
export async function agentSchemaCommand(options: ConfigOptions): Promise<number> {
  return print(options, (schema) => agentFileSchema(described(wholeSchema(schema))))
}

async function print(options: ConfigOptions, change: (schema: Schema) => Schema): Promise<number> {
  const { host, diagnostics } = await openHost(options)
  await using _ = host
  const { schema, diagnostics: found } = await host.editorSchema()
  reportDiagnostics([...diagnostics, ...host.diagnostics, ...found])
  process.stdout.write(`${jsonText(change(schema), 2)}\n`)
  return EXIT.ok
}

/** The schema of the host's config, with the parts of a file that other packages read. */
function wholeSchema(schema: Schema): Schema {
  const { properties } = schema as { readonly properties: Schema }
  const { agents: _agents, models: _models, ...config } = properties
  const whole = { ...config, server: serverSchema(properties) }
  return {
    ...schema,
    properties: {
      ...(withReferences({ properties: whole })['properties'] as Schema),
      ...specSchemas(properties),
    },
    additionalProperties: false,
  }
}

function serverSchema(whole: Schema): Schema {
  const { models, hosts } = SERVER_SCHEMA.properties
  const { additionalProperties: model } = models
  const config = publishedConfigSchema(whole)
  const published = { ...model, properties: { ...model.properties, config } }
  const properties = {
    ...SERVER_SCHEMA.properties,
    models: { ...models, additionalProperties: published },
    hosts: { ...hosts, items: { type: 'string', pattern: HOST_NAME } },
  }
  return { ...SERVER_SCHEMA, properties }
}
