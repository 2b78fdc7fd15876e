import type { ToolSchemaOptions } from '@braidwork/core'
import { jsonText } from './characters.ts'
import { EXIT, reportDiagnostics } from './exit.ts'
import { openHost } from './open-host.ts'
import type { ConfigOptions } from './options.ts'
import { shorten, stylesOf, table } from './terminal.ts'

const LONGEST_DESCRIPTION = 90

export interface ToolsOptions extends ConfigOptions {
  readonly json?: boolean
  /** The tool format of a model API, as `host.toolSchemas` takes it. */
  readonly for?: ToolSchemaOptions['for']
}

/** `braidwork tools`: lists the tools that the model is offered; with a format, as JSON for that model API. */
export async function toolsCommand(options: ToolsOptions): Promise<number> {
  const { host, diagnostics } = await openHost(options)
  await using _ = host
  reportDiagnostics([...diagnostics, ...(await host.resolve()).diagnostics])
  const tools = options.for
    ? await host.toolSchemas({}, { for: options.for })
    : await host.toolSchemas()
  if (options.json || options.for) {
    process.stdout.write(`${jsonText(tools, 2)}\n`)
    return EXIT.ok
  }
  if (tools.length === 0) {
    process.stderr.write('No tool is on for this config; "braidwork explain" says why.\n')
    return EXIT.ok
  }
  const rows = tools.map(({ name, plugin, description }) => [
    name,
    plugin,
    shorten(description, LONGEST_DESCRIPTION),
  ])
  process.stdout.write(
    table([['TOOL', 'PLUGIN', 'DESCRIPTION'], ...rows], stylesOf(process.stdout).dim),
  )
  return EXIT.ok
}
