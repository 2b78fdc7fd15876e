import type { Config } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { Edited } from './choices.ts'
import { isOff } from './declared.ts'
import { type Step, type Steps, setsModel, setsProvider } from './edits.ts'

/** The ranks of models are lower, and those of providers are not. */
const FIRST_PROVIDER = 2 ** 40

/** The steps that are still possible for an edited config. None undoes another. */
export class PossibleSteps {
  readonly #ofPlugins = new Map<AnyPlugin, Steps>()
  readonly #ofLists: Steps
  readonly #providers: Steps
  readonly #firstModel: number
  readonly #config: Config
  readonly #all = new WeakMap<Edited, Steps>()

  constructor(plugins: readonly AnyPlugin[], config: Config) {
    this.#config = config
    const enabled = new Set(config.enabled_plugins)
    const disabled = new Set(config.disabled_plugins)
    for (const [at, plugin] of plugins.entries()) {
      if (plugin.kind !== 'provider') {
        this.#ofPlugins.set(plugin, listSteps(plugin, at, { enabled, disabled }))
      }
    }
    this.#ofLists = [...this.#ofPlugins.values()].flat()
    const providers = plugins.filter(({ kind }) => kind === 'provider')
    this.#firstModel = 2 * plugins.length
    this.#providers = providers.map(({ name }, at) => ({
      edit: { edit: 'set', key: 'provider', provider: name },
      rank: FIRST_PROVIDER + at,
    }))
  }

  all(at: Edited): Steps {
    const known = this.#all.get(at)
    if (known) return known
    const all = [...unused(this.#ofLists, at), ...this.models(at), ...this.providers(at)]
    this.#all.set(at, all)
    return all
  }

  /** Joins lists of steps, each step once. */
  joined(at: Edited, ...lists: readonly Steps[]): Steps {
    const all = this.#all.get(at)
    // Plugins that read everything make it frequent that one of the lists has all steps.
    if (all && lists.includes(all)) return all
    const filled = new Set(lists.filter(({ length }) => length > 0))
    const [first = []] = filled
    if (filled.size <= 1) return first
    return [...new Map([...filled].flat().map((step) => [step.rank, step])).values()]
  }

  /** The steps for a list of ids. */
  ofList(list: string, at: Edited): Steps {
    return unused(this.#ofLists, at).filter(isIn(list))
  }

  /** The steps for a plugin in the lists of ids, or in one list. */
  ofPlugin(plugin: AnyPlugin, at: Edited, list?: string): Steps {
    const steps = unused(this.#ofPlugins.get(plugin) ?? [], at)
    return list === undefined ? steps : steps.filter(isIn(list))
  }

  providers({ steps, choice }: Edited): Steps {
    if (setsProvider(steps) || setsModel(steps)) return []
    const { name } = choice.provider
    return this.#providers.filter(({ edit }) => 'provider' in edit && edit.provider !== name)
  }

  models({ steps, choice: { model, models } }: Edited): Steps {
    if (setsModel(steps)) return []
    // If the config names a model, a set with another provider names one too, even its first.
    const isNamed = this.namesModel(steps) || this.#config.model === undefined
    const isSet = (id: string) => id === model && isNamed
    return models.flatMap((id, at) =>
      isSet(id)
        ? []
        : [{ edit: { edit: 'set', key: 'model', model: id }, rank: this.#firstModel + at }],
    )
  }

  /** Whether the edited config names a model. */
  namesModel(steps: Steps): boolean {
    return setsModel(steps) || (this.#config.model !== undefined && !setsProvider(steps))
  }

  /** Whether the provider offers the model that the edits choose, and they name one if the config does. */
  isModelDone({ steps, choice: { model = '', models } }: Edited): boolean {
    if (setsModel(steps)) return models.includes(model)
    return !setsProvider(steps) || models.length === 0 || this.#config.model === undefined
  }
}

function isIn(list: string): (step: Step) => boolean {
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
