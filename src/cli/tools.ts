import type { Host, ToolSchemaOptions } from '@braidwork/core'
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
  /** Lists every registered tool, offered or not, with the reason. */
  readonly all?: boolean
}

/** `braidwork tools`: lists the tools that the model is offered; with a format, as JSON for that model API. */
export async function toolsCommand(options: ToolsOptions): Promise<number> {
  const { host, diagnostics } = await openHost(options)
  await using _ = host
  reportDiagnostics([...diagnostics, ...(await host.resolve()).diagnostics])
  const { values, rows } = await listedTools(host, options)
  if (options.json || options.for) {
    process.stdout.write(`${jsonText(values, 2)}\n`)
    return EXIT.ok
  }
  if (values.length === 0) {
    process.stderr.write('No tool is on for this config; "braidwork explain" says why.\n')
    return EXIT.ok
  }
  process.stdout.write(table(rows, stylesOf(process.stdout).dim))
  return EXIT.ok
}

/** The tools as JSON values, and as a table with its heading. */
interface ListedTools {
  readonly values: readonly object[]
  readonly rows: readonly string[][]
}

async function listedTools(host: Host, { for: format, all }: ToolsOptions): Promise<ListedTools> {
  if (all) return inventory(host)
  const tools = format ? await host.toolSchemas({}, { for: format }) : await host.toolSchemas()
  const rows = tools.map(({ name, plugin, description }) => [
    name,
    plugin,
    shorten(description, LONGEST_DESCRIPTION),
  ])
  return { values: tools, rows: [['TOOL', 'PLUGIN', 'DESCRIPTION'], ...rows] }
}

async function inventory(host: Host): Promise<ListedTools> {
  const tools = await host.toolSchemas({}, { inventory: true })
  const rows = tools.map(({ tool_name, plugin = '', policy, capabilities, reason = '' }) => [
    tool_name,
    plugin,
    policy,
    capabilities.join(' '),
    reason,
  ])
  return { values: tools, rows: [['TOOL', 'PLUGIN', 'POLICY', 'TOUCHES', 'WHY'], ...rows] }
}
