import { type Diagnostic, HostError, type ModelInfo } from '@braidwork/plugin'
import { type AnyPlugin, messageOf } from '@braidwork/plugin/internal'
import { settingsFaults } from '../../config/index.ts'
import { type Elements, readElements } from '../../forms/index.ts'
import { hasHook } from '../../hooks/index.ts'
import type { Resolved } from '../../resolve/index.ts'
import { bindFor, scoped } from '../ask-plugin.ts'
import { type HostCore, maskError, maskErrors } from '../core.ts'
import { modelInfoOf } from '../model-info.ts'
import { OpenedConfig } from '../opened-config.ts'
import { type PluginTool, shownTools } from '../tools/shown-tools.ts'
import { unnamedKeys, withoutKeys } from '../unnamed-keys.ts'

/** The elements of plugins, and why some have none. */
interface FormElements {
  readonly elements: ReadonlyMap<string, Elements>
  readonly diagnostics: readonly Diagnostic[]
}

/** The plugins that are on. */
export function pluginsOf({ plugins }: Resolved): readonly AnyPlugin[] {
  return [plugins.provider, ...plugins.extensions, ...plugins.features, ...plugins.tools]
}

/** The elements that some of the enabled plugins add to the form with `getUiElements`. */
export async function formElements(
  core: HostCore,
  resolved: Resolved,
  among: readonly AnyPlugin[],
): Promise<FormElements> {
  const asked = among.filter((plugin) => hasHook(plugin, 'getUiElements'))
  const elements = new Map<string, Elements>()
  if (asked.length === 0) return { elements, diagnostics: [] }
  const diagnostics: Diagnostic[] = []
  const note = (error: unknown): void => void diagnostics.push(toDiagnostic(core, resolved, error))
  const tools = await toolsOf(core, resolved).catch((error: unknown) => {
    note(error)
    return []
  })
  const names = new Set(pluginsOf(resolved).map(({ name }) => name))
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

/** The tools on offer. Settings that an element may explain are not checked, as the elements depend on the tools. */
async function toolsOf(core: HostCore, resolved: Resolved): Promise<readonly PluginTool[]> {
  const plugins = pluginsOf(resolved)
  const check = async (): Promise<void> => {
    const named = plugins.reduce(
      (config, plugin) => withoutKeys(config, plugin, unnamedKeys(resolved, plugin)),
      resolved.config,
    )
    const [fault] = await settingsFaults(named, plugins)
    if (fault) throw fault
  }
  const opening = OpenedConfig.of(core, resolved, { signal: core.closing.signal, check })
  using opened = await maskErrors(core, resolved.config, opening)
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
  return scoped(core.closing, undefined, async (signals) => {
    const ask = bindFor('getUiElements', plugin, { core, resolved, modelInfo, ...signals })
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
