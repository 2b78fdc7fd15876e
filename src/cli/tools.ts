import { EXIT, reportDiagnostics } from './exit.ts'
import { openHost } from './open-host.ts'
import type { ConfigOptions } from './options.ts'
import { shorten, stylesOf, table } from './terminal.ts'

const LONGEST_DESCRIPTION = 90

/** `braidwork tools`: the tools that the model is offered for the config. */
export async function toolsCommand(
  options: ConfigOptions & { readonly json?: boolean },
): Promise<number> {
  const { host, diagnostics } = await openHost(options)
  await using _ = host
  reportDiagnostics([...diagnostics, ...(await host.resolve()).diagnostics])
  const tools = await host.toolSchemas()
  if (options.json) {
    process.stdout.write(`${JSON.stringify(tools, null, 2)}\n`)
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
