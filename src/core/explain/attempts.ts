import type { Config } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { Resolved, ResolveOptions, TraceEntry } from '../resolve/index.ts'
import { type Choice, choiceOf, type Edited } from './choice.ts'
import { changesModels, tagsIn } from './declared.ts'
import { applyEdits, editsOf, keyOf, type Steps, withoutLists } from './edits.ts'
import { type Observed, Observer } from './observer.ts'
import { type Offering, Offers } from './offers.ts'
import { type FirstSteps, firstSteps, PossibleSteps } from './possible-steps.ts'
import { isListed, Reads } from './reads.ts'

/** The verdict of a resolution on a plugin. */
type Judged = Omit<TraceEntry, 'plugin' | 'kind'>

/** The verdict on a plugin that takes no part. */
const OUT: Judged = { on: false, round: 0, rule: 'other provider', missing: [], forbidden: [] }

/** The edited configs that the searches try, and the facts that all tries share. */
export class Attempts {
  readonly plugins: readonly AnyPlugin[]
  readonly config: Config
  readonly observer: Observer
  readonly offers: Offers
  readonly firstSteps: FirstSteps
  /** The plugins other than providers that may change the list of models. */
  readonly modelers: readonly AnyPlugin[]
  /** The verdicts for the unchanged config. */
  readonly first: ReadonlyMap<AnyPlugin, Judged>
  /** Of these, the ones on plugins that the lists keep out. */
  readonly out: ReadonlyMap<AnyPlugin, Judged>
  /** The plugins that determine the provider and the models. */
  readonly #choosers: readonly AnyPlugin[]
  readonly #places: ReadonlyMap<string, number>
  /** What the hooks of each plugin asked for in any attempt. */
  readonly #asked = new Map<AnyPlugin, Reads>()
  readonly #tried = new Map<string, Promise<Attempt | undefined>>()

  /** @param resolved the resolution of the unchanged config */
  constructor(
    plugins: readonly AnyPlugin[],
    config: Config,
    options: ResolveOptions,
    resolved: Resolved,
  ) {
    this.plugins = plugins
    this.config = config
    this.observer = new Observer(options, resolved)
    const answering = plugins.filter((plugin) => !resolved.settled.threw.has(plugin))
    this.offers = new Offers(answering, config, this.observer)
    this.firstSteps = firstSteps(plugins, config)
    this.modelers = plugins.filter(changesModels)
    this.#choosers = plugins.filter(({ kind }) => kind === 'provider').concat(this.modelers)
    this.#places = new Map(plugins.map(({ name }, at) => [name, at]))
    this.first = new Map(this.entriesOf(resolved))
    this.out = new Map([...this.first].filter(([, entry]) => isKeptOut(entry)))
  }

  /** The config with edits. Undefined if the provider fails. */
  try(steps: Steps): Promise<Attempt | undefined> {
    const key = keyOf(steps)
    const known = this.#tried.get(key) ?? this.#create(steps)
    this.#tried.set(key, known)
    return known
  }

  wasTried(steps: Steps): boolean {
    return this.#tried.has(keyOf(steps))
  }

  async #create(steps: Steps): Promise<Attempt | undefined> {
    const choice = await this.#choose(steps)
    return choice && new Attempt(this, { steps, choice })
  }

  async #choose(steps: Steps): Promise<Choice | undefined> {
    const choosing = withoutLists(steps)
    const own = choosing.length < steps.length ? await this.try(choosing) : undefined
    if (own?.isChoiceFixed) return own.choice
    const edited = applyEdits(this.config, editsOf(steps))
    return choiceOf(await this.observer.resolve(this.#choosers, edited))
  }

  entriesOf({ resolution }: Resolved): readonly [AnyPlugin, Judged][] {
    return resolution.trace.flatMap((entry) =>
      this.#named(entry.plugin).map((plugin): [AnyPlugin, Judged] => [plugin, entry]),
    )
  }

  /** Remembers what the hooks of plugins asked for, because they may ask for it in other attempts, too. */
  note(reads: ReadonlyMap<AnyPlugin, Reads>): void {
    for (const [plugin, read] of reads) {
      if (!read.isAll && read.tags.size + read.plugins.size === 0) continue
      const asked = this.#asked.get(plugin) ?? new Reads()
      asked.add(read)
      this.#asked.set(plugin, asked)
    }
  }

  /** The tags and plugins on which the verdict on a plugin may depend; with `isAll`, on any tag, too. */
  dependenciesOf(plugin: AnyPlugin) {
    const { tags = [], plugins = [], isAll = false } = this.#asked.get(plugin) ?? {}
    return {
      tags: [...tagsIn(plugin, ['requiredTags', 'forbiddenTags']), ...tags],
      plugins: isAll ? this.plugins : [...plugins].flatMap((name) => this.#named(name)),
      isAll,
    }
  }

  inOrder(plugins: Iterable<AnyPlugin>): readonly AnyPlugin[] {
    const placeOf = ({ name }: AnyPlugin) => this.#places.get(name) ?? 0
    return [...plugins].sort((one, other) => placeOf(one) - placeOf(other))
  }

  #named(name: string): readonly AnyPlugin[] {
    const plugin = this.plugins[this.#places.get(name) ?? -1]
    return plugin ? [plugin] : []
  }
}

/** A config with some edits, resolved as a request resolves it, but only as far as a search asks. */
export class Attempt implements Edited {
  readonly steps: Steps
  readonly choice: Choice
  readonly attempts: Attempts
  readonly possible: PossibleSteps
  readonly #named: ReadonlySet<string>
  readonly #entries: Map<AnyPlugin, Judged>
  readonly #reads = new Map<AnyPlugin, Reads>()
  #offering: Promise<Offering> | undefined

  constructor(attempts: Attempts, { steps, choice }: Edited) {
    this.steps = steps
    this.choice = choice
    this.attempts = attempts
    this.possible = new PossibleSteps(attempts.firstSteps, this)
    this.#named = new Set(steps.map(({ edit }) => ('plugin' in edit ? edit.plugin : '')))
    this.#entries = new Map(steps.length === 0 ? attempts.first : [])
  }

  /** Whether edits of lists cannot change the models, nor the tags of the provider. */
  get isChoiceFixed(): boolean {
    return this.attempts.modelers.length === 0 && !isListed(this.choice.keys)
  }

  get offering(): Promise<Offering> {
    this.#offering ??= this.attempts.offers.at(this)
    return this.#offering
  }

  async entryOf(plugin: AnyPlugin): Promise<Judged> {
    const known = this.#entries.get(plugin) ?? this.#listed(plugin)
    if (known) return known
    await this.#judge(plugin)
    return this.#entries.get(plugin) ?? OUT
  }

  /** What the hooks of a plugin read, if it is a candidate. */
  async readsOf(plugin: AnyPlugin): Promise<Reads> {
    if (!this.#reads.has(plugin) && !this.isKeptOut(plugin)) await this.#judge(plugin)
    return this.#reads.get(plugin) ?? new Reads()
  }

  isKeptOut(plugin: AnyPlugin): boolean {
    return this.#listed(plugin) !== undefined
  }

  /** The work of judging a plugin for other lists, as far as is known what it depends on. */
  async costOf(plugin: AnyPlugin): Promise<number> {
    const isOthers = (tag: string) => !this.choice.tags.includes(tag)
    const isAsking = this.attempts.dependenciesOf(plugin).tags.some(isOthers)
    const questions = isAsking ? (await this.offering).listed.size : 0
    return questions + (await this.#close(new Set([plugin])))
  }

  /** The entry of a plugin that the lists keep out, because no edit names it. */
  #listed(plugin: AnyPlugin): Judged | undefined {
    return this.#named.has(plugin.name) ? undefined : this.attempts.out.get(plugin)
  }

  /** Resolves a plugin, with all others on which its verdict depends. The rest cannot affect it. */
  async #judge(plugin: AnyPlugin): Promise<void> {
    const part = new Set([plugin, this.choice.provider, ...this.attempts.modelers])
    const { resolved, reads } = await this.#resolve(part)
    for (const [one, read] of reads) this.#reads.set(one, read)
    const entries = resolved ? this.attempts.entriesOf(resolved) : []
    for (const [one, entry] of entries) if (!this.#entries.has(one)) this.#entries.set(one, entry)
    if (!this.#entries.has(plugin)) this.#entries.set(plugin, OUT)
  }

  /** Resolves some plugins. Adds those on which they depend, also by what their hooks turn out to ask. */
  async #resolve(part: Set<AnyPlugin>): Promise<Observed> {
    const { config, observer } = this.attempts
    const edited = applyEdits(config, editsOf(this.steps))
    for (;;) {
      const size = await this.#close(part)
      const observed = await observer.resolve(this.attempts.inOrder(part), edited)
      this.attempts.note(observed.reads)
      if ((await this.#close(part)) === size) return observed
    }
  }

  /** Adds to some plugins those on which they depend, and returns how many there are. */
  async #close(part: Set<AnyPlugin>): Promise<number> {
    // Whoever else offers a tag of the provider, it is there.
    const tagsSeen = new Set(this.choice.tags)
    for (const one of part) {
      const { tags, plugins, isAll } = this.attempts.dependenciesOf(one)
      const fresh = tags.filter((tag) => !tagsSeen.has(tag))
      for (const tag of fresh) tagsSeen.add(tag)
      const offering = fresh.length > 0 ? fresh.flatMap((await this.offering).of) : []
      for (const other of [...plugins, ...offering]) {
        if (!this.isKeptOut(other)) part.add(other)
      }
      if (isAll) break
    }
    return part.size
  }
}

function isKeptOut({ rule }: Judged): boolean {
  return rule === 'disabled' || rule === 'off by default'
}
