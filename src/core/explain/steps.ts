import type { Config } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { isOffByDefault, type Resolved } from '../resolve/index.ts'
import type { Edit } from './edits.ts'

/** An edit with its place among all edits: first those of plugins, then providers, then models. */
export interface Step {
  readonly edit: Edit
  readonly rank: number
}

/** A set of steps is sorted by rank. */
export type Steps = readonly Step[]

/** A config with some edits, and its resolution. */
export interface Edited {
  readonly steps: Steps
  readonly resolved: Resolved
}

/** The edits that are still possible for an edited config. None undoes an edit. */
export class PossibleSteps {
  readonly #lists = new Map<AnyPlugin, Steps>()
  readonly #providers: Steps
  readonly #firstModel: number

  constructor(plugins: readonly AnyPlugin[], config: Config) {
    const enabled = new Set(config.enabled_plugins)
    const disabled = new Set(config.disabled_plugins)
    for (const [at, plugin] of plugins.entries()) {
      if (plugin.kind !== 'provider') {
        this.#lists.set(plugin, listSteps(plugin, at, { enabled, disabled }))
      }
    }
    const providers = plugins.filter(({ kind }) => kind === 'provider')
    this.#providers = providers.map(({ name }, at) => ({
      edit: { edit: 'set', key: 'provider', provider: name },
      rank: 2 * plugins.length + at,
    }))
    this.#firstModel = 2 * plugins.length + providers.length
  }

  all(at: Edited): Steps {
    const lists = unused([...this.#lists.values()].flat(), at)
    return [...lists, ...this.providers(at), ...this.models(at)]
  }

  /** The edits of a list. */
  ofList(list: string, at: Edited): Steps {
    return unused([...this.#lists.values()].flat().filter(isOf(list)), at)
  }

  /** The edits of lists for a plugin. */
  ofPlugin(plugin: AnyPlugin, at: Edited): Steps {
    return unused(this.#lists.get(plugin) ?? [], at)
  }

  /** The edit of one list for a plugin. */
  ofPluginIn(list: string, plugin: AnyPlugin, at: Edited): Steps {
    return this.ofPlugin(plugin, at).filter(isOf(list))
  }

  providers({ steps, resolved }: Edited): Steps {
    if (steps.some(({ edit }) => 'provider' in edit)) return []
    const { name } = resolved.plugins.provider
    return this.#providers.filter(({ edit }) => 'provider' in edit && edit.provider !== name)
  }

  models({ steps, resolved }: Edited): Steps {
    if (steps.some(({ edit }) => 'model' in edit)) return []
    const { models, model } = resolved.resolution
    return models.flatMap((id, at) =>
      id === model
        ? []
        : [{ edit: { edit: 'set', key: 'model', model: id }, rank: this.#firstModel + at }],
    )
  }
}

/** Joins lists of steps, each step once. */
export function joined(...lists: readonly Steps[]): Steps {
  return [...new Map(lists.flat().map((step) => [step.rank, step])).values()]
}

function isOf(list: string): (step: Step) => boolean {
  return ({ edit }) => edit.edit !== 'set' && edit.list === list
}

function unused(all: Steps, { steps }: Edited): Steps {
  return all.filter(({ rank }) => !steps.some((step) => step.rank === rank))
}

interface Ids {
  readonly enabled: ReadonlySet<string>
  readonly disabled: ReadonlySet<string>
}

function listSteps(plugin: AnyPlugin, at: number, { enabled, disabled }: Ids): Steps {
  const { name } = plugin
  const edit = disabled.has(name) ? 'remove' : 'add'
  const disable: Step = {
    edit: { edit, list: 'disabled_plugins', plugin: name },
    rank: 2 * at + 1,
  }
  if (!isOff(plugin) || enabled.has(name)) return [disable]
  return [{ edit: { edit: 'add', list: 'enabled_plugins', plugin: name }, rank: 2 * at }, disable]
}

/** Whether a plugin is off by default. A plugin that cannot be read is not. */
function isOff(plugin: AnyPlugin): boolean {
  try {
    return isOffByDefault(plugin)
  } catch {
    return false
  }
}
