import type { AnyPlugin } from '@braidwork/plugin/internal'
import { hasHook } from '../hooks/index.ts'
import type { Resolved } from '../resolve/index.ts'
import { type Attempt, Attempts, type Situation } from './attempts.ts'
import type { Offers } from './offers.ts'
import { EVERYTHING, MODELS, type ReadKey } from './reads.ts'
import { joined, type PossibleSteps, type Step, type Steps } from './steps.ts'

type TagTest = (tags: readonly string[]) => boolean
type Keys = ReadonlySet<ReadKey>

const LISTS = ['enabled_plugins', 'disabled_plugins'] as const
/** What the tags of a provider may depend on other than its model. */
const UNKNOWN: readonly ReadKey[] = [EVERYTHING, ...LISTS]

/** Finds the edits that may change the answers of hooks: tags, models, and everything that a hook reads. */
export class Influence {
  readonly providers: readonly AnyPlugin[]
  /** The plugins other than providers that may change the list of models. */
  readonly modelers: readonly AnyPlugin[]
  readonly #possible: PossibleSteps
  readonly #offers: Offers
  readonly #providersAlone: Attempts
  readonly #others = new Map<number, Promise<Attempt | undefined>>()

  constructor(situation: Situation, possible: PossibleSteps, offers: Offers) {
    this.modelers = situation.plugins.filter(canChangeModels)
    this.#possible = possible
    this.#offers = offers
    this.providers = situation.plugins.filter(({ kind }) => kind === 'provider')
    this.#providersAlone = new Attempts(situation, this.providers)
  }

  /** The edits that may change the answers of hooks that read these keys. */
  async onReaders(keys: Keys, at: Attempt): Promise<Steps> {
    if (keys.has(EVERYTHING)) return this.#possible.all(at)
    const isFirstModel = keys.has('model') && !this.#possible.namesModel(at.steps)
    return joined(
      keys.has('model') ? this.#possible.models(at) : [],
      keys.has('model') || keys.has('provider') ? this.#possible.providers(at) : [],
      keys.has(MODELS) || isFirstModel ? await this.onModels(at) : [],
      this.#ofLists(keys, at),
    )
  }

  /** The edits that may change the list of models. */
  async onModels(at: Attempt): Promise<Steps> {
    const keys = new Set<ReadKey>()
    for (const plugin of [at.resolved.plugins.provider, ...this.modelers]) {
      for (const key of (await at.readsOf(plugin)).keys) keys.add(key)
    }
    if (keys.has(EVERYTHING)) return this.#possible.all(at)
    return joined(
      ...this.modelers.map((plugin) => this.#possible.ofPlugin(plugin, at)),
      keys.has('model') ? this.#possible.models(at) : [],
      this.#possible.providers(at),
      this.#ofLists(keys, at),
    )
  }

  /** The edits after which the tags of the provider may pass a test. */
  async onProvider(at: Attempt, test: TagTest): Promise<Steps> {
    const { provider } = at.resolved.plugins
    const { keys } = await at.readsOf(provider)
    if (keys.has(EVERYTHING)) return this.#possible.all(at)
    const lists = this.#ofLists(keys, at)
    // Where plugins change the list of models, the tags of all models are not known.
    if (this.modelers.length > 0) {
      return joined(await this.onModels(at), this.#possible.models(at), lists)
    }
    const found: Step[] = []
    for (const step of this.#possible.models(at)) {
      const model = 'model' in step.edit ? step.edit.model : undefined
      if (await this.#mayPass(at.resolved, model, test)) found.push(step)
    }
    for (const step of this.#possible.providers(at)) {
      const other = await this.#with(step)
      if (other && (await this.#mayPassOnce(other, test))) found.push(step)
    }
    return joined(found, lists)
  }

  /** Whether a provider may provide a tag with any of its models. */
  async isOfProvider(tag: string, at: Attempt): Promise<boolean> {
    const test: TagTest = (tags) => tags.includes(tag)
    if (await this.#mayPassOnce(at, test)) return true
    for (const step of this.#possible.providers(at)) {
      const other = await this.#with(step)
      if (other && (await this.#mayPassOnce(other, test))) return true
    }
    return false
  }

  /** The plugins that offer a tag, without providers, and the edits that may make others offer it. */
  async offering(tag: string, at: Attempt) {
    const { plugins, keys } = await this.#offers.sometimes(at.resolved)
    const offering = [...this.#offers.always(tag), ...(plugins.get(tag) ?? [])]
    return { offering, steps: await this.onReaders(keys, at) }
  }

  #ofLists(keys: Keys, at: Attempt): Steps {
    return joined(...LISTS.map((list) => (keys.has(list) ? this.#possible.ofList(list, at) : [])))
  }

  /** The config with another provider, and no other edits. */
  #with(step: Step): Promise<Attempt | undefined> {
    const known = this.#others.get(step.rank) ?? this.#providersAlone.try([step])
    this.#others.set(step.rank, known)
    return known
  }

  async #mayPassOnce(at: Attempt, test: TagTest): Promise<boolean> {
    const { keys } = await at.readsOf(at.resolved.plugins.provider)
    if (UNKNOWN.some((key) => keys.has(key))) return true
    for (const model of [undefined, ...at.resolved.resolution.models]) {
      if (await this.#mayPass(at.resolved, model, test)) return true
    }
    return false
  }

  /** Whether the tags of the provider may pass a test with a model. */
  async #mayPass(at: Resolved, model: string | undefined, test: TagTest): Promise<boolean> {
    const { tags, keys } = await this.#offers.ofProvider(at.plugins.provider, model, at)
    return test(tags) || keys.has(MODELS) || UNKNOWN.some((key) => keys.has(key))
  }
}

/** Whether a plugin other than a provider changes the list of models. One that cannot be read takes no part. */
function canChangeModels(plugin: AnyPlugin): boolean {
  try {
    return ['extension', 'feature'].includes(plugin.kind) && hasHook(plugin, 'getModels')
  } catch {
    return false
  }
}
