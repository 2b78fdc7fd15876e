import type { ConfigLayer } from '@braidwork/core'
import type { Layer } from '@braidwork/core/internal'
import { type Diagnostic, HostError, isObject, pointerOf } from '@braidwork/plugin'
import {
  actionFaults,
  configFaults,
  mcpToolsFaults,
  modelSettingsFaults,
  policyFaults,
  readServerConfig,
  type ServerConfig,
  settableFaults,
  telemetryFaults,
  tokenFaults,
  toolFaults,
  unknownAgents,
} from '@braidwork/server/internal'
import { assertPlace } from '@braidwork/store/internal'
import { findingsOfAgents } from '../agent-findings.ts'
import { agentConfigs, agentNames } from '../agent-names.ts'
import { placeIn } from '../config-places.ts'
import { EXIT, reportDiagnostics } from '../exit.ts'
import { assertProviderNamed } from '../fallback-provider.ts'
import { type OpenHost, openHost } from '../open-host.ts'
import { declaredAgents } from '../open-runtime.ts'
import { type ConfigOptions, loadConfig } from '../options.ts'
import { accessOf, LOOPBACK_ADDRESS } from '../server-access.ts'

/** `braidwork config check`: prints every fault in a config with its place, or that the config is valid. */
export async function configCheckCommand(options: ConfigOptions): Promise<number> {
  const opened = await openHost(options)
  await using _ = opened.host
  const found = await faultsOf(opened, options).catch((error: unknown) => {
    // A plugin that could not be read may be the reason of the error.
    reportDiagnostics(opened.diagnostics, true)
    throw error
  })
  reportDiagnostics(
    found.map((diagnostic) => withPlace(diagnostic, opened.layers)),
    true,
  )
  const errors = found.filter(({ level }) => level === 'error').length
  const warnings = found.filter(({ level }) => level === 'warning').length
  process.stdout.write(
    `${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}\n`,
  )
  return errors > 0 ? EXIT.usage : EXIT.ok
}

/** All faults in a config. @throws {HostError} PROVIDER_UNKNOWN, and the other errors of opening a config */
async function faultsOf(opened: OpenHost, options: ConfigOptions): Promise<readonly Diagnostic[]> {
  const { host, diagnostics } = opened
  const server = loadConfig(options).config['server']
  const ofSettings = (await host.settingsFaults()).map(toDiagnostic)
  const ofConfig = [
    ...(await asserted(() => assertProviderNamed(opened))),
    ...(await configFaults(host)),
    ...(await policyFaults(host, configsOf(opened, server))),
    ...(await foundBy(() => toolFaults(host))),
  ]
  ofConfig.push(...(await ofFirstRequest(host, [...ofConfig, ...ofSettings])))
  const told = [...diagnostics, ...ofConfig, ...ofSettings]
  const agents = { ...opened, ...(await declaredAgents(opened)) }
  const own = [...ofConfig, ...(await findingsOfAgents(agents, told))]
  const ofServer = await serverFaults(opened, server, [...own, ...ofSettings])
  return [...diagnostics, ...own, ...ofSettings, ...ofServer]
}

/** What plugins refuse when they build a request. Where there are errors already, no request is built. */
async function ofFirstRequest(
  host: OpenHost['host'],
  told: readonly Diagnostic[],
): Promise<readonly Diagnostic[]> {
  if (told.some(({ level }) => level === 'error')) return []
  return foundBy(async () => {
    await host.dryRun({}, 'Hello')
    return []
  })
}

/** The configs of the models that the server publishes, and of the agents. */
async function* configsOf(opened: OpenHost, server: unknown) {
  const models = isObject(server) && isObject(server['models']) ? server['models'] : {}
  for (const model of Object.values(models))
    if (isObject(model) && isObject(model['config'])) yield model['config'] as ConfigLayer
  yield* agentConfigs(opened)
}

function serverFaults(
  opened: OpenHost,
  server: unknown,
  own: readonly Diagnostic[],
): Promise<readonly Diagnostic[]> {
  const { host } = opened
  return foundBy(async () => {
    const config = await readServerConfig(server, process.env)
    const { models = {} } = config
    const known = new Set(own.map(({ message }) => message))
    const agents = await agentNames(opened, config.agents)
    const faults = [
      ...(await asserted(() => accessOf(config, LOOPBACK_ADDRESS))),
      ...(await asserted(() => assertPlace(config.store ?? 'memory'))).map((one) =>
        at('/server/store', one),
      ),
      ...unknownAgents(config.agents, await agentNames(opened, undefined)),
      ...(await foundBy(() => tokenFaults(host, config, agents))),
      ...(await foundBy(() => mcpToolsFaults(host, config, agents))),
      ...(await foundBy(() => settableFaults(host, config))),
      ...actionFaults(host, config),
      ...(await telemetryFaults(config.telemetry)),
    ]
    for (const [name, { config }] of Object.entries(models)) {
      const place = pointerOf(['server', 'models', name, 'config'])
      const found = [
        ...(await foundBy(() => configFaults(host, config))),
        ...(await foundBy(() => toolFaults(host, config))),
      ]
      const added = new Map(found.map((one) => [one.message, at(place, one)]))
      faults.push(...[...added].flatMap(([message, one]) => (known.has(message) ? [] : one)))
    }
    return [...faults, ...(await ofModelSettings(host, config, own))]
  })
}

/** The faults in the settings of models, beside those that are told of a plugin in the config that is over all models. */
async function ofModelSettings(
  host: OpenHost['host'],
  { models = {}, settable }: ServerConfig,
  told: readonly Diagnostic[],
): Promise<readonly Diagnostic[]> {
  const found = await modelSettingsFaults(host, models, { settable })
  return found.flatMap((fault) => {
    if (fault.pointer?.startsWith('/models/')) return at('/server', fault)
    const isTold = told.some(({ code, plugin }) => code === fault.code && plugin === fault.plugin)
    return isTold ? [] : fault
  })
}

/** The diagnostics that a check returns; an error that it throws becomes a diagnostic too. */
async function foundBy(look: () => Promise<readonly Diagnostic[]>): Promise<readonly Diagnostic[]> {
  try {
    return await look()
  } catch (error) {
    if (HostError.is(error)) return [toDiagnostic(error)]
    throw error
  }
}

/** The diagnostic of an error that a function throws. */
function asserted(assert: () => unknown): Promise<readonly Diagnostic[]> {
  return foundBy(async () => {
    await assert()
    return []
  })
}

function at(place: string, diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, pointer: `${place}${diagnostic.pointer ?? ''}` }
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

/** Adds file, line and column to a diagnostic when the highest layer that sets its key is a file. */
function withPlace(diagnostic: Diagnostic, layers: readonly Layer[]): Diagnostic {
  const { pointer, message } = diagnostic
  const place = pointer === undefined ? undefined : placeIn(layers, pointer)
  if (place === undefined || message.includes(place)) return diagnostic
  return { ...diagnostic, message: `${message} (${place})` }
}
