import { type Config, type Diagnostic, HostError, type ModelInfo } from '@braidwork/plugin'
import { type AnyPlugin, messageOf } from '@braidwork/plugin/internal'
import {
  checkLocale,
  checkView,
  type DynamicChoices,
  type Elements,
  readElements,
  type SettingsDocument,
  type SettingsFormat,
  type SettingsViews,
  settingsDocument,
  settingsView,
  type ViewOptions,
} from '../forms/index.ts'
import { hasHook } from '../hooks/index.ts'
import { Recording } from '../recording.ts'
import type { Resolved } from '../resolve/index.ts'
import { type HostCore, maskError, maskErrors, resolveFor } from './core.ts'
import { bindFor, type PluginTool, scoped, shownTools } from './doors.ts'
import { modelInfoOf } from './model-info.ts'
import { openResolved } from './open-config.ts'

export interface UiSchemaOptions {
  /** The language (BCP 47) of the host's texts and of schemas with `x-i18n`. The default is "en". */
  readonly locale?: string
}

export interface UiViewOptions<F extends SettingsFormat> extends UiSchemaOptions, ViewOptions<F> {}

/**
 * The settings for a config in another form format.
 * @throws {HostError} OPTION_INVALID, PLUGIN_UNKNOWN, PLUGIN_OFF, and the errors of `uiSchema`
 */
export async function uiView<F extends SettingsFormat>(
  core: HostCore,
  config: Config,
  options: UiViewOptions<F>,
): Promise<SettingsViews[F]> {
  checkView(options)
  return settingsView(await uiSchema(core, config, options), options)
}

/** Builds the settings document for a config. */
export async function uiSchema(
  core: HostCore,
  config: Config,
  options: UiSchemaOptions,
): Promise<SettingsDocument> {
  const locale = checkLocale(options.locale)
  const recording = new Recording()
  const watched = await resolveWatched(core, config, recording)
  const { resolved } = watched
  const form = await formElements(watched.core, resolved)
  return settingsDocument({
    plugins: core.registry.plugins,
    enabled: resolved.plugins,
    resolution: resolved.resolution,
    masked: core.secrets.masked(core.secrets.fill(config, core.variables)),
    recording,
    elements: form.elements,
    descriptions: core.registry.descriptions,
    locale,
    diagnostics: [...form.diagnostics, ...offSettings(config, resolved)],
    dynamic: dynamicChoices(resolved.plugins.provider),
  })
}

interface Watched {
  readonly core: HostCore
  readonly resolved: Resolved
}

/**
 * Resolves a config and records which of its values the plugins read. Some code cannot read the recording view
 * (`structuredClone` refuses a proxy). A plugin that throws is asked again with the plain config, and counts as having
 * read all of it.
 */
async function resolveWatched(
  core: HostCore,
  config: Config,
  recording: Recording,
): Promise<Watched> {
  const plain = new Set<string>()
  for (;;) {
    const watched = { ...core, secrets: watchedSecrets(core, recording, plain) }
    const attempt = await tryResolve(watched, config)
    const threw = attempt.threw.filter((name) => !plain.has(name))
    if (attempt.resolved && threw.length === 0) return { core: watched, resolved: attempt.resolved }
    if (threw.length === 0) throw attempt.error
    for (const name of threw) plain.add(name)
  }
}

interface Attempt {
  readonly resolved?: Resolved
  readonly error?: unknown
  readonly threw: readonly string[]
}

async function tryResolve(core: HostCore, config: Config): Promise<Attempt> {
  try {
    const resolved = await resolveFor(core, config)
    const threw = resolved.resolution.trace.filter(({ rule }) => rule === 'threw')
    return { resolved, threw: threw.map(({ plugin }) => plugin) }
  } catch (error) {
    const provider =
      HostError.is(error) && error.code === 'RESOLUTION_FAILED' ? error.plugin : undefined
    return { error, threw: provider === undefined ? [] : [provider] }
  }
}

function watchedSecrets(
  { secrets }: HostCore,
  recording: Recording,
  plain: ReadonlySet<string>,
): HostCore['secrets'] {
  return {
    fill: (config, variables) => secrets.fill(config, variables),
    keep: (values) => secrets.keep(values),
    masked: (config) => secrets.masked(config),
    textMask: (config) => secrets.textMask(config),
    echoes: (config) => secrets.echoes(config),
    viewOf: (config, plugin) => {
      const view = secrets.viewOf(config, plugin)
      if (!plain.has(plugin)) return recording.view(view)
      recording.add('')
      return view
    },
  }
}

interface FormElements {
  readonly elements: ReadonlyMap<string, Elements>
  readonly diagnostics: readonly Diagnostic[]
}

/** The elements that enabled plugins add to the form with `getUiElements`. */
async function formElements(core: HostCore, resolved: Resolved): Promise<FormElements> {
  const { plugins } = resolved
  const on = [plugins.provider, ...plugins.extensions, ...plugins.features, ...plugins.tools]
  const asked = on.filter((plugin) => hasHook(plugin, 'getUiElements'))
  const elements = new Map<string, Elements>()
  if (asked.length === 0) return { elements, diagnostics: [] }
  const diagnostics: Diagnostic[] = []
  const note = (error: unknown): void => void diagnostics.push(toDiagnostic(core, resolved, error))
  const tools = await toolsOf(core, resolved).catch((error: unknown) => {
    note(error)
    return []
  })
  const names = new Set(on.map(({ name }) => name))
  const modelInfo = await modelInfoOf(core, resolved).catch(() => ({}))
  for (const plugin of asked) {
    try {
      const answer = await askElements(plugin, { core, resolved, tools, modelInfo })
      const own = await readElements(plugin, answer, names)
      elements.set(plugin.name, own)
      diagnostics.push(...own.diagnostics)
    } catch (error) {
      note(error)
    }
  }
  return { elements, diagnostics }
}

async function toolsOf(core: HostCore, resolved: Resolved): Promise<readonly PluginTool[]> {
  using opened = await openResolved(core, resolved, { signal: core.closing })
  return shownTools(await opened.offer())
}

interface Asking {
  readonly core: HostCore
  readonly resolved: Resolved
  readonly tools: readonly PluginTool[]
  readonly modelInfo: ModelInfo
}

async function askElements(
  plugin: AnyPlugin,
  { core, resolved, tools, modelInfo }: Asking,
): Promise<readonly unknown[]> {
  const { config, tags, resolution } = resolved
  const input = {
    tags,
    models: resolution.models,
    available_tools: tools.map(({ plugin: _, ownName, ...tool }) => ({
      ...tool,
      name: ownName ?? tool.name,
    })),
    tools: tools.map(({ plugin: _, ownName: __, ...tool }) => tool),
  }
  return scoped(async (scope) => {
    const ask = bindFor('getUiElements', plugin, { core, resolved, modelInfo, scope })
    const answer = ask?.(core.secrets.viewOf(config, plugin.name), input) ?? []
    return maskErrors(core, config, Promise.resolve(answer))
  })
}

function toDiagnostic(core: HostCore, { config }: Resolved, error: unknown): Diagnostic {
  const known = HostError.is(error) ? maskError(core, config, error) : undefined
  return {
    code: known?.code ?? 'HOOK_FAILED',
    level: 'error',
    message: known?.message ?? messageOf(error),
    ...(known?.plugin === undefined ? {} : { plugin: known.plugin }),
    ...(known?.pointer === undefined ? {} : { pointer: known.pointer }),
  }
}

/** The dynamic list of models, if the provider can ask its API for them. */
function dynamicChoices(provider: AnyPlugin): readonly DynamicChoices[] {
  if (!hasHook(provider, 'refreshModels')) return []
  const dependsOn = ['/provider', `/settings/${provider.name}`]
  return [{ pointer: '/model', dependsOn, refresh: 'refreshModels' }]
}

/** Notes for settings of registered plugins that are off: the config keeps them, but no form shows them. */
function offSettings({ settings = {} }: Config, { resolution }: Resolved): readonly Diagnostic[] {
  const off = resolution.trace.filter(({ plugin, on }) => !on && Object.hasOwn(settings, plugin))
  return off.map(({ plugin }) => ({
    code: 'SETTINGS_OF_PLUGIN_OFF',
    level: 'info',
    plugin,
    pointer: `/settings/${plugin}`,
    message: `The config has settings for "${plugin}", which is off for this config. They are kept, but not shown.`,
  }))
}
