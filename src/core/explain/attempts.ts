import type { Config } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { Resolved, TraceEntry } from '../resolve/index.ts'
import type { Choice, Choices } from './choices.ts'
import { tagsIn } from './declared.ts'
import { applyEdits, editsOf, keyOf, type Steps } from './edits.ts'
import type { Observed, Observer } from './observer.ts'
import type { Offering, Offers } from './offers.ts'
import type { Edited } from './possible-steps.ts'
import { Reads } from './reads.ts'

/** The verdict of a resolution on a plugin. */
export type Judged = Omit<TraceEntry, 'plugin' | 'kind'>

/** The entry of a plugin that takes no part. */
const OUT: Judged = { on: false, round: 0, rule: 'other provider', missing: [], forbidden: [] }

/** The tags and plugins that hooks of a plugin ask for. */
interface Dependencies {
  readonly tags: Iterable<string>
  readonly plugins: Iterable<AnyPlugin>
  /** Whether they may ask for any. */
  readonly isAll: boolean
}

/** The input of all searches of one `explain`. */
export interface Situation {
  readonly plugins: readonly AnyPlugin[]
  readonly config: Config
  /** The resolution of the unchanged config. */
  readonly resolved: Resolved
  readonly observer: Observer
  readonly choices: Choices
  readonly offers: Offers
}

/** The edited configs that the searches try. All searches share them. */
export class Attempts {
  readonly situation: Situation
  /** The entries of the plugins that the lists of the unchanged config keep out. */
  readonly out = new Map<AnyPlugin, Judged>()
  readonly #byName: ReadonlyMap<string, AnyPlugin>
  readonly #places: ReadonlyMap<AnyPlugin, number>
  /** What the hooks of each plugin asked for in any attempt. */
  readonly #asked = new Map<AnyPlugin, Dependencies>()
  readonly #tried = new Map<string, Promise<Attempt | undefined>>()

  constructor(situation: Situation) {
    const { plugins, resolved } = situation
    this.situation = situation
    this.#byName = new Map(plugins.map((plugin) => [plugin.name, plugin]))
    this.#places = new Map(plugins.map((plugin, at) => [plugin, at]))
    for (const [plugin, entry] of this.entriesOf(resolved)) {
      if (isKeptOut(entry)) this.out.set(plugin, entry)
    }
  }

  /** The config with edits. Undefined if the provider fails. */
  try(steps: Steps): Promise<Attempt | undefined> {
    const key = keyOf(steps)
    const known = this.#tried.get(key) ?? this.#create(steps)
    this.#tried.set(key, known)
    return known
  }

  async #create(steps: Steps): Promise<Attempt | undefined> {
    const choice = await this.situation.choices.of(steps)
    if (!choice) return undefined
    const known = steps.length === 0 ? this.entriesOf(this.situation.resolved) : []
    return new Attempt(this, { steps, choice }, known)
  }

  entriesOf({ resolution }: Resolved): readonly [AnyPlugin, Judged][] {
    return resolution.trace.flatMap((entry): [AnyPlugin, Judged][] => {
      const plugin = this.#byName.get(entry.plugin)
      return plugin ? [[plugin, entry]] : []
    })
  }

  inOrder(plugins: Iterable<AnyPlugin>): readonly AnyPlugin[] {
    const placeOf = (plugin: AnyPlugin) => this.#places.get(plugin) ?? 0
    return [...plugins].sort((one, other) => placeOf(one) - placeOf(other))
  }

  /** Remembers what the hooks of plugins asked for, because they may ask for it in other attempts, too. */
  note(reads: ReadonlyMap<AnyPlugin, Reads>): void {
    for (const [plugin, { tags, plugins, isAll }] of reads) {
      if (!isAll && tags.size + plugins.size === 0) continue
      const before = this.#asked.get(plugin)
      const named = [...plugins].flatMap((name) => this.#byName.get(name) ?? [])
      this.#asked.set(plugin, {
        tags: new Set([...(before?.tags ?? []), ...tags]),
        plugins: new Set([...(before?.plugins ?? []), ...named]),
        isAll: isAll || before?.isAll === true,
      })
    }
  }

  /** The tags and plugins on which the verdict on a plugin may depend. */
  dependenciesOf(plugin: AnyPlugin): Dependencies {
    const { tags = [], plugins = [], isAll = false } = this.#asked.get(plugin) ?? {}
    const named = tagsIn(plugin, ['requiredTags', 'forbiddenTags'])
    return { tags: [...named, ...tags], plugins: isAll ? this.situation.plugins : plugins, isAll }
  }
}

/** A config with some edits, resolved as a request resolves it, but only as far as a search asks. */
export class Attempt implements Edited {
  readonly steps: Steps
  readonly choice: Choice
  readonly #attempts: Attempts
  readonly #named: ReadonlySet<string>
  readonly #entries: Map<AnyPlugin, Judged>
  readonly #reads = new Map<AnyPlugin, Reads>()
  #spent = 0

  constructor(
    attempts: Attempts,
    { steps, choice }: Edited,
    known: readonly [AnyPlugin, Judged][],
  ) {
    this.steps = steps
    this.choice = choice
    this.#attempts = attempts
    this.#named = new Set(steps.map(({ edit }) => ('plugin' in edit ? edit.plugin : '')))
    this.#entries = new Map(known)
  }

  get offering(): Promise<Offering> {
    return this.#attempts.situation.offers.at(this)
  }

  async entryOf(plugin: AnyPlugin): Promise<Judged> {
    const known = this.#entries.get(plugin) ?? this.#listed(plugin)
    if (known) return known
    await this.#judge(plugin)
    return this.#entries.get(plugin) ?? OUT
  }

  /** What the hooks of a plugin read, if it is a candidate. */
  async readsOf(plugin: AnyPlugin): Promise<Reads> {
    if (!this.#reads.has(plugin) && !this.#listed(plugin)) await this.#judge(plugin)
    return this.#reads.get(plugin) ?? new Reads()
  }

  isKeptOut(plugin: AnyPlugin): boolean {
    return this.#listed(plugin) !== undefined
  }

  /** The entry of a plugin that the lists keep out, because no edit names it. */
  #listed(plugin: AnyPlugin): Judged | undefined {
    return this.#named.has(plugin.name) ? undefined : this.#attempts.out.get(plugin)
  }

  /** Resolves a plugin, with all others on which its verdict depends. The rest cannot affect it. */
  async #judge(plugin: AnyPlugin): Promise<void> {
    const { plugins, choices, observer } = this.#attempts.situation
    // After as much work as judging all plugins takes, judging all is cheaper than going on one by one.
    const isMuch = this.#spent > plugins.length
    const part = new Set(
      isMuch ? plugins.filter((one) => !this.#listed(one)) : [plugin, ...choices.modelers],
    )
    const before = observer.spent
    const { resolved, reads } = await this.#resolve(part)
    this.#spent += observer.spent - before
    for (const [one, read] of reads) this.#reads.set(one, read)
    const entries = resolved ? this.#attempts.entriesOf(resolved) : []
    for (const [one, entry] of entries) if (!this.#entries.has(one)) this.#entries.set(one, entry)
    if (!this.#entries.has(plugin)) this.#entries.set(plugin, OUT)
  }

  /** Resolves some plugins. Adds those on which they depend, also by what their hooks turn out to ask. */
  async #resolve(part: Set<AnyPlugin>): Promise<Observed> {
    const { config, observer } = this.#attempts.situation
    const edited = applyEdits(config, editsOf(this.steps))
    const offering = await this.offering
    part.add(this.choice.provider)
    for (;;) {
      const size = this.#close(part, offering)
      const observed = await observer.resolve(this.#attempts.inOrder(part), edited)
      this.#attempts.note(observed.reads)
      if (this.#close(part, offering) === size) return observed
    }
  }

  /** Adds to some plugins those on which they depend, and returns how many there are. */
  #close(part: Set<AnyPlugin>, offering: Offering): number {
    const tagsSeen = new Set<string>()
    for (const one of part) {
      const { tags, plugins, isAll } = this.#attempts.dependenciesOf(one)
      const fresh = [...tags].filter((tag) => !tagsSeen.has(tag))
      for (const tag of fresh) tagsSeen.add(tag)
      for (const other of [...plugins, ...fresh.flatMap((tag) => offering.of(tag))]) {
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
