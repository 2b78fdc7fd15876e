import { jsonText } from '../characters.ts'
import { discoverHere } from '../discover-here.ts'
import { EXIT, reportDiagnostics } from '../exit.ts'
import { installationOf, packageIn, readLock } from '../packages/index.ts'
import { shorten, stylesOf, table } from '../terminal.ts'

const LONGEST_DESCRIPTION = 90

/** `braidwork plugins`: lists the plugins found by search. It reads only their manifests and runs no plugin. */
export function pluginsCommand(options: { readonly json?: boolean }): number {
  const { plugins, diagnostics } = discoverHere()
  reportDiagnostics(diagnostics)
  const lock = readLock()
  const found = plugins.map((plugin) => {
    const { name, kind, title = name, description = '', package: from, version } = plugin
    const entry = Object.hasOwn(lock, from) ? lock[from] : undefined
    const isInstalled = entry && plugin.folder === packageIn(installationOf(from), from)
    const integrity = isInstalled ? entry.integrity : undefined
    return { name, kind, title, description, package: from, version, integrity }
  })
  if (options.json) {
    process.stdout.write(`${jsonText(found, 2)}\n`)
    return EXIT.ok
  }
  const rows = found.map((plugin) => [
    plugin.name,
    plugin.kind,
    `${plugin.package}@${plugin.version}`,
    shorten(plugin.description, LONGEST_DESCRIPTION),
  ])
  process.stdout.write(
    table([['PLUGIN', 'KIND', 'PACKAGE', 'DESCRIPTION'], ...rows], stylesOf(process.stdout).dim),
  )
  return EXIT.ok
}
