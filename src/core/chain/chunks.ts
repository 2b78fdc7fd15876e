import type { Limits, State } from '@braidwork/plugin'
import type { EventTrail } from '../event-trail.ts'
import {
  type BoundHook,
  hasHook,
  joinHooks,
  limitError,
  Progress,
  type Sink,
} from '../hooks/index.ts'
import { Pieces } from '../pieces.ts'
import type { Answered } from './finish.ts'
import { andThen, fold } from './fold.ts'
import type { Prepared } from './prepare.ts'
import { type Bound, hooksOf, providerHook } from './request.ts'

type Result = readonly [
  partials: readonly unknown[],
  finals: readonly unknown[],
  native: unknown,
  state: State,
]
type ExtensionStep = BoundHook<'processChunk'>
type List = readonly unknown[]

const NOTHING: List = Object.freeze([])
/** The most chunks of one pull that run before the reader gets their events. */
const MOST_CHUNKS = 64

/**
 * Processes the chunks of a request: the provider's `processChunk`, then the extensions', then the conversion of the
 * partials to core format, which go to the sink as a list for each pull of the provider. The list of hooks is computed
 * once, so plugins without a hook cost nothing. CL-38, CL-39
 */
export class ChunkSteps {
  readonly progress: Progress
  readonly #sink: Sink<List>
  #providerStep
  readonly #extensionSteps
  readonly #providerToCore
  readonly #extensionsToCore
  readonly #announce
  readonly #pieces: Pieces
  readonly #limits: Limits
  readonly #provider: string
  readonly #trail: EventTrail | undefined
  #finals: unknown[] = []
  #native: unknown
  #state: State

  constructor(bound: Bound, { native, state }: Prepared, sink: Sink<List>) {
    const { plugins, partials, trail } = bound.request
    this.#trail = trail
    this.#sink = sink
    this.progress = new Progress(bound.limits, plugins.provider.name)
    this.#native = native
    this.#state = state
    this.#limits = bound.limits
    this.#provider = plugins.provider.name
    this.#pieces = piecesOf(bound)
    this.#providerToCore =
      partials === 'events' ? undefined : providerHook(bound, 'fromNative', 'partials')
    const { provider, extensions } = plugins
    const given = {
      steps: hooksOf(bound, [provider, ...extensions], 'processChunk', 'partials'),
      toCore: hooksOf(bound, extensions, 'fromNative', 'partials'),
      isApart: this.#providerToCore !== undefined,
    }
    const { steps, toCore, announce } = trail?.join(given, provider) ?? joinHooks(given)
    const [first, ...others] = steps
    const own = first?.plugin === provider ? first.run : undefined
    this.#providerStep = own && partials === 'events' ? this.#pieces.ofStep(own) : own
    this.#extensionSteps = (own ? others : steps).map(({ run }) => run)
    this.#extensionsToCore = toCore
    this.#announce = announce
  }

  /** Takes a chunk, or a list of the chunks that arrived together. Runs at most MOST_CHUNKS of them at a time. */
  readonly take: Sink<unknown> = (pulled) => {
    const chunks: List = Array.isArray(pulled) ? pulled : [pulled]
    const group = this.#pieces.ofChunks(chunks)
    this.progress.addChunks(group.length)
    return group.length > MOST_CHUNKS ? this.#takeGroups(group) : this.#takeGroup(group)
  }

  /** Ends what the pieces of the provider left open. Extensions see that as they see every chunk. */
  async end(): Promise<void> {
    const closing = this.#pieces.close()
    this.#providerStep = undefined
    if (closing.length > 0) await this.take(closing)
  }

  async #takeGroups(chunks: List): Promise<void> {
    for (let at = 0; at < chunks.length; at += MOST_CHUNKS) {
      await this.#takeGroup(chunks.slice(at, at + MOST_CHUNKS))
    }
  }

  /** Runs chunks and shows their partials. Waits only for promises. */
  #takeGroup(chunks: List): undefined | Promise<void> {
    this.#trail?.clear()
    const partials: unknown[] = []
    let ran: undefined | Promise<undefined>
    try {
      ran = this.#process(chunks, partials)
    } catch (thrown) {
      return this.#failAfter(partials, thrown)
    }
    if (!ran) return this.#show(partials)
    return ran.then(
      () => this.#show(partials),
      (thrown: unknown) => this.#failAfter(partials, thrown),
    )
  }

  #show(partials: List): undefined | Promise<void> {
    if (partials.length === 0) return undefined
    this.progress.addPartials(partials)
    return this.#sink(partials)
  }

  /** Fails the request after the partials before the failure have been shown. */
  async #failAfter(partials: List, thrown: unknown): Promise<never> {
    await this.#show(partials)
    throw thrown
  }

  /** Processes chunks in order and adds their core partials to `partials` as they are made. */
  #process(chunks: List, partials: unknown[], from = 0): undefined | Promise<undefined> {
    if (from === 0) this.#announce?.(chunks)
    for (let at = from; at < chunks.length; at++) {
      const core = this.#processOne(chunks[at])
      if (core instanceof Promise) {
        return core.then((settled) => {
          append(partials, settled)
          return this.#process(chunks, partials, at + 1)
        })
      }
      append(partials, core)
    }
    return undefined
  }

  /** The finals, native request and state after the last chunk. */
  answered(): Answered {
    const finals = [...this.#finals, ...this.#pieces.gathered.messages()]
    return { finals, native: this.#native, state: this.#state }
  }

  #processOne(chunk: unknown): List | Promise<List> {
    const step = this.#step(chunk)
    return step instanceof Promise ? step.then((settled) => this.#keep(settled)) : this.#keep(step)
  }

  #step(chunk: unknown): Result | Promise<Result> {
    const first: Result | Promise<Result> = this.#providerStep
      ? this.#providerStep(chunk, this.#native, this.#state)
      : this.#passThrough(chunk)
    return this.#extend(chunk, first, 0)
  }

  /** Runs the extensions' hooks for a chunk. A closure or iterator for each chunk would cost more than the rest. */
  #extend(chunk: unknown, first: Result | Promise<Result>, from: number): Result | Promise<Result> {
    let step = first
    for (let at = from; at < this.#extensionSteps.length; at++) {
      if (step instanceof Promise) return step.then((settled) => this.#extend(chunk, settled, at))
      this.#trail?.addStep(step[0])
      step = (this.#extensionSteps[at] as ExtensionStep)(chunk, step[0], step[1], step[2], step[3])
    }
    return step
  }

  #keep(step: Result): List | Promise<List> {
    this.#trail?.addStep(step[0])
    this.#native = step[2]
    this.#state = step[3]
    if (step[1].length > 0) this.#keepFinals(step[1])
    return step[0].length === 0 ? NOTHING : this.#toCore(step[0])
  }

  #keepFinals(finals: List): void {
    const { answer_parts: most } = this.#limits
    if (this.#finals.length + finals.length > most) {
      throw limitError(this.#limits, 'answer_parts', this.#provider)
    }
    append(this.#finals, finals)
  }

  /** Turns a chunk into a partial, for a provider without `processChunk`. */
  #passThrough(chunk: unknown): Result {
    // Gathered before any extension sees the event, because extensions change the final themselves.
    this.#pieces.gathered.add(chunk)
    return [[chunk], [], this.#native, this.#state]
  }

  #toCore(partials: List): List | Promise<List> {
    const first = this.#providerToCore ? this.#providerToCore(partials, this.#state) : partials
    if (this.#extensionsToCore.length === 0) return first
    return andThen(first, (core) =>
      fold(this.#extensionsToCore, core, (upstream, { run }) => run(partials, upstream)),
    )
  }
}

function append(list: unknown[], more: List): void {
  for (let at = 0; at < more.length; at++) list.push(more[at])
}

function piecesOf({ request: { plugins, partials } }: Bound): Pieces {
  const { provider } = plugins
  const yieldsEvents = partials === 'events' && !hasHook(provider, 'processChunk')
  const gathers =
    !hasHook(provider, 'finalize') && (yieldsEvents || !hasHook(provider, 'fromNative'))
  return new Pieces({ provider, yieldsEvents, gathers })
}
