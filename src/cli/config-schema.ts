import { coreOf } from '../host/host.ts'
import { editorSchema } from '../schema/form/index.ts'
import { SERVER_SCHEMA } from '../server/server-config.ts'
import { jsonText } from './characters.ts'
import { EXIT, reportDiagnostics } from './exit.ts'
import { openHost } from './open-host.ts'
import type { ConfigOptions } from './options.ts'

/** `braidwork config schema`: JSON Schema of a config file, for editors, with the plugins at hand. */
export async function configSchemaCommand(options: ConfigOptions): Promise<number> {
  const { host, diagnostics } = await openHost(options)
  await using _ = host
  const { registry } = coreOf(host)
  await registry.loadAll()
  const { schema, diagnostics: found } = editorSchema(registry.plugins, registry.descriptions)
  reportDiagnostics([...diagnostics, ...registry.diagnostics, ...found])
  const { properties } = schema as { readonly properties: object }
  const whole = { ...schema, properties: { ...properties, server: SERVER_SCHEMA } }
  process.stdout.write(`${jsonText(whole, 2)}\n`)
  return EXIT.ok
}
