import { type Diagnostic, HostError } from '../errors.ts'
import { coreOf } from '../host/host.ts'
import { placeOf, positionOf } from '../load/config-file.ts'
import type { Layer } from '../load/config-layers.ts'
import { settingsFaults } from '../schema/check-config.ts'
import { readServerConfig } from '../server/server-config.ts'
import { EXIT, reportDiagnostics } from './exit.ts'
import { openHost } from './open-host.ts'
import { type ConfigOptions, loadConfig } from './options.ts'

/** `braidwork config check`: everything that is wrong with a config, and where, or that it is well. */
export async function configCheckCommand(options: ConfigOptions): Promise<number> {
  const { host, layers, diagnostics } = await openHost(options)
  await using _ = host
  const { config, environment, registry, secrets } = coreOf(host)
  await registry.loadAll()
  const faults = await settingsFaults(secrets.fill(config, environment), registry.plugins)
  const resolution = await host.resolve()
  const ofServer = await serverFaults(loadConfig(options).config['server'])
  const all = [...faults, ...ofServer]
  const found = [...diagnostics, ...resolution.diagnostics, ...all.map(toDiagnostic)]
  reportDiagnostics(
    found.map((diagnostic) => withPlace(diagnostic, layers)),
    true,
  )
  const errors = found.filter(({ level }) => level === 'error').length
  const warnings = found.filter(({ level }) => level === 'warning').length
  process.stdout.write(
    `${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}\n`,
  )
  return errors > 0 ? EXIT.usage : EXIT.ok
}

async function serverFaults(server: unknown): Promise<readonly HostError[]> {
  try {
    await readServerConfig(server, process.env)
    return []
  } catch (error) {
    if (HostError.is(error)) return [error]
    throw error
  }
}

function toDiagnostic({ code, message, plugin, pointer }: HostError): Diagnostic {
  return {
    code,
    level: 'error',
    message,
    ...(plugin === undefined ? {} : { plugin }),
    ...(pointer === undefined ? {} : { pointer }),
  }
}

/** The same with file, line and column, where the highest layer that has its key is a file. */
function withPlace(diagnostic: Diagnostic, layers: readonly Layer[]): Diagnostic {
  const { pointer, message } = diagnostic
  const [, key] = pointer?.split('/') ?? []
  const layer = layers.findLast(({ config }) => key !== undefined && Object.hasOwn(config, key))
  if (pointer === undefined || !layer?.file) return diagnostic
  const { path, text } = layer.file
  return { ...diagnostic, message: `${message} (${placeOf(path, positionOf(text, pointer))})` }
}
