import { coreOf } from '../host/host.ts'
import { settingsFaults } from '../schema/check-config.ts'
import { EXIT, reportDiagnostics, reportError } from './exit.ts'
import { openHost } from './open-host.ts'
import type { ConfigOptions } from './options.ts'

/** `braidwork config check`: everything that is wrong with a config, or that it is well. */
export async function configCheckCommand(options: ConfigOptions): Promise<number> {
  const { host, diagnostics } = await openHost(options)
  await using _ = host
  const { config, environment, registry, secrets } = coreOf(host)
  await registry.loadAll()
  const resolution = await host.resolve()
  const faults = await settingsFaults(secrets.fill(config, environment), registry.plugins)
  const found = [...diagnostics, ...resolution.diagnostics]
  reportDiagnostics(found, true)
  for (const fault of faults) reportError(fault)
  const errors = faults.length + found.filter(({ level }) => level === 'error').length
  const warnings = found.filter(({ level }) => level === 'warning').length
  process.stdout.write(
    `${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}\n`,
  )
  return errors > 0 ? EXIT.usage : EXIT.ok
}
