import { type Config, type Diagnostic, HostError } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import {
  checkLocale,
  checkView,
  type DynamicChoices,
  type SettingsDocument,
  type SettingsFormat,
  type SettingsViews,
  settingsDocument,
  settingsView,
  type ViewOptions,
} from '../../forms/index.ts'
import { hasHook } from '../../hooks/index.ts'
import { Recording } from '../../recording.ts'
import type { Resolved } from '../../resolve/index.ts'
import { type HostCore, resolveFor } from '../core.ts'
import { formElements, pluginsOf } from './form-elements.ts'

export interface UiSchemaOptions {
  /** The language (BCP 47) of the host's texts and of schemas with `x-i18n`. The default is "en". */
  readonly locale?: string | undefined
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
  const form = await formElements(watched.core, resolved, pluginsOf(resolved))
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
    const threw = resolved.trace.filter(({ rule }) => rule === 'threw')
    return { resolved, threw: threw.map(({ plugin }) => plugin) }
  } catch (error) {
    const provider = HostError.is(error) && error.phase === 'resolve' ? error.plugin : undefined
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
    maskGiven: (text) => secrets.maskGiven(text),
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
