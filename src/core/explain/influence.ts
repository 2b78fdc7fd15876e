import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { Attempt } from './attempts.ts'
import type { Choice, Choices } from './choices.ts'
import { isOfList, joined, keyOf, type Step, type Steps, setsProvider } from './edits.ts'
import type { Offering, Offers } from './offers.ts'
import type { Edited, PossibleSteps } from './possible-steps.ts'
import { EVERYTHING, isListed, type Keys, MODELS } from './reads.ts'

const LISTS = ['enabled_plugins', 'disabled_plugins'] as const

/** The tags that a step leads to: those of each choice that the step, with or without a model, makes. */
interface Way {
  readonly step: Step
  readonly ends: readonly End[]
}
interface End {
  readonly choice: Choice
  readonly offering: Offering
}

/** Finds the edits that may change the answers of hooks: tags, models, and everything that a hook reads. */
export class Influence {
  readonly #possible: PossibleSteps
  readonly #choices: Choices
  readonly #offers: Offers
  readonly #ways = new Map<string, Promise<readonly Way[]>>()

  constructor(possible: PossibleSteps, choices: Choices, offers: Offers) {
    this.#possible = possible
    this.#choices = choices
    this.#offers = offers
  }

  /** The edits that may change the answers of hooks that read these keys. */
  onReaders(keys: Keys, at: Edited): Steps {
    if (keys.has(EVERYTHING)) return this.#possible.all(at)
    const isFirstModel = keys.has('model') && !this.#possible.namesModel(at.steps)
    return joined(
      keys.has('model') ? this.#possible.models(at) : [],
      keys.has('model') || keys.has('provider') ? this.#possible.providers(at) : [],
      keys.has(MODELS) || isFirstModel ? this.onModels(at) : [],
      this.#ofLists(keys, at),
    )
  }

  /** The edits that may change the list of models. */
  onModels(at: Edited): Steps {
    const { modelKeys } = at.choice
    if (modelKeys.has(EVERYTHING)) return this.#possible.all(at)
    return joined(
      ...this.#choices.modelers.map((plugin) => this.#possible.ofPlugin(plugin, at)),
      modelKeys.has('model') ? this.#possible.models(at) : [],
      this.#possible.providers(at),
      this.#ofLists(modelKeys, at),
    )
  }

  /** The edits after which the tags of the provider may pass a test. */
  async onProvider(at: Edited, test: (tags: readonly string[]) => boolean): Promise<Steps> {
    const { choice } = at
    if (choice.keys.has(EVERYTHING)) return this.#possible.all(at)
    if (!this.#choices.isFixed(choice)) {
      // The models may change, and the tags of all models are not known.
      return joined(this.onModels(at), this.#possible.models(at), this.#ofLists(choice.keys, at))
    }
    return this.#leadingTo(at, (end) => test(end.choice.tags))
  }

  /** The edits after which plugins other than providers may offer a tag that do not offer it now. */
  async onOffers(tag: string, at: Attempt): Promise<Steps> {
    const offering = await at.offering
    const { keys } = offering
    if (keys.has(EVERYTHING) || !this.#choices.isFixed(at.choice)) return this.onReaders(keys, at)
    const isChosen = keys.has('model') || keys.has('provider') || keys.has(MODELS)
    const now = new Set(offering.of(tag))
    const isNew = (plugin: AnyPlugin) => !now.has(plugin)
    return joined(
      isChosen ? await this.#leadingTo(at, (end) => end.offering.of(tag).some(isNew)) : [],
      this.#ofLists(keys, at),
    )
  }

  /** Whether any plugin may offer a tag, with any provider and model. */
  async isOffered(tag: string, at: Attempt): Promise<boolean> {
    const offers = ({ choice, offering }: End) =>
      choice.tags.includes(tag) || offering.of(tag).length > 0 || isListed(choice.keys)
    if (offers({ choice: at.choice, offering: await at.offering })) return true
    return (await this.#leadingTo(at, offers)).length > 0
  }

  #ofLists(keys: Keys, at: Edited): Steps {
    return joined(...LISTS.map((list) => (keys.has(list) ? this.#possible.ofList(list, at) : [])))
  }

  /** The choices of a provider or a model after which a test may pass. */
  async #leadingTo(at: Edited, test: (end: End) => boolean): Promise<Steps> {
    const choosing = at.steps.filter((step) => !isOfList(step))
    const key = keyOf(choosing)
    const known = this.#ways.get(key) ?? this.#waysFrom({ steps: choosing, choice: at.choice })
    this.#ways.set(key, known)
    const mayPass = (end: End) =>
      isListed(end.choice.keys) || end.offering.listed.length > 0 || test(end)
    return (await known).filter(({ ends }) => ends.some(mayPass)).map(({ step }) => step)
  }

  async #waysFrom(at: Edited): Promise<readonly Way[]> {
    const ways: Way[] = []
    for (const step of [...this.#possible.models(at), ...this.#possible.providers(at)]) {
      const steps = [...at.steps, step]
      const first = await this.#endOf(steps)
      if (!first) continue
      const models = setsProvider([step])
        ? this.#possible.models({ steps, choice: first.choice })
        : []
      const others = await Promise.all(models.map((model) => this.#endOf([model, ...steps])))
      ways.push({ step, ends: [first, ...others.flatMap((end) => end ?? [])] })
    }
    return ways
  }

  async #endOf(unsorted: Steps): Promise<End | undefined> {
    const steps = [...unsorted].sort((one, other) => one.rank - other.rank)
    const choice = await this.#choices.of(steps)
    return choice && { choice, offering: await this.#offers.at({ steps, choice }) }
  }
}
