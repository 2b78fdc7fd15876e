import { isDeepStrictEqual } from 'node:util'
import { EventChecker, type HostError, isObject } from '@braidwork/plugin'
import {
  type AnyPlugin,
  type ErrorPlace,
  toHostError,
  withFacts,
  withMessage,
} from '@braidwork/plugin/internal'
import { pathText } from './answered-messages.ts'
import { type BoundHook, type ChunkHook, type ChunkHooks, joinHooks } from './hooks/index.ts'

type List = readonly unknown[]

/** One hook, or neighboring hooks of plugins in another process that answer together. The last one is the place. */
interface Stage extends ErrorPlace {
  /** JSON pointer of the list of events in the answer. Absent for chunks that are events already. */
  readonly list?: string
  readonly plugins: readonly string[]
}

/** A list of events, and the number of the first answer that it is. */
interface Noted {
  readonly from: number
  readonly events: List
}

/** The place of an event in the answer of a hook. */
interface Found {
  readonly stage: number
  readonly index: number
}
interface Given extends Found {
  readonly event: unknown
}
interface Made extends Found {
  /** The number of the answer. */
  readonly at: number
}

/**
 * The events that each hook gave for the chunks that run together. They are only looked at after an event was found
 * wrong, to name the hook that gave it.
 */
export class EventTrail {
  #stages: readonly Stage[] = []
  /** How many of the stages are `processChunk`; the others are `fromNative`. */
  #steps = 0
  /** How many answers of `processChunk` came: for one chunk after another, those of each stage in turn. */
  #count = 0
  /** These answers, each list only where it differs from the answer before it: most hooks pass most events on. */
  #ofSteps: Noted[] = []
  #ofCore: List[] = []
  #areEvents = true

  /** Joins the hooks of the chunks, as {@link joinHooks} does, and notes the answers of those that make core format. */
  join(given: ChunkHooks, provider: AnyPlugin): ChunkHooks {
    const joined = joinHooks(given)
    this.#areEvents = !given.isApart
    const isStep = given.steps[0]?.plugin === provider
    const steps = stagesOf('processChunk', given.steps, joined.steps)
    const first = isStep ? [] : [{ ...placeOf(provider, 'stream'), plugins: [provider.name] }]
    this.#steps = first.length + steps.length
    this.#stages = [...first, ...steps, ...stagesOf('fromNative', given.toCore, joined.toCore)]
    return {
      ...joined,
      toCore: joined.toCore.map((one) => ({ ...one, run: this.#noting(one.run) })),
    }
  }

  /** Forgets the chunks before. */
  clear(): void {
    if (this.#count > 0) this.#ofSteps = []
    this.#count = 0
    if (this.#ofCore.length > 0) this.#ofCore = []
  }

  /** Notes the events after the next `processChunk`. */
  addStep(events: List): void {
    const last = this.#ofSteps.at(-1)
    if (events !== last?.events) this.#ofSteps.push({ from: this.#count, events })
    this.#count++
  }

  /** The fault of an event of a list, with the hook that gave the event and its place in the answer. */
  blamed(fault: HostError, events: List, at: number): HostError {
    const event = events[at]
    const count = events.slice(0, at).filter((one) => isDeepStrictEqual(one, event)).length
    const found = this.#makerOf(event, count)
    if (!found) return fault
    const stray = this.#strayBefore(found.stage < this.#steps, found.at)
    return stray
      ? this.#told(faultAlone(stray.event) ?? fault, stray)
      : this.#told(fault, { ...found, event })
  }

  /** The error of a hook of the chunks. If the hook was given a value that is no event, the fault is the giver's. */
  blamedFor(error: HostError): HostError {
    const { code, hook, phase } = error
    if (code !== 'HOOK_FAILED' || phase !== 'partials') return error
    if (hook !== 'processChunk' && hook !== 'fromNative') return error
    const isStep = hook === 'processChunk'
    const stray = this.#strayBefore(isStep, isStep ? this.#count : this.#ofCore.length)
    if (!stray) return error
    const fault = faultAlone(stray.event) ?? error
    return this.#told(withMessage(fault, `${fault.message} Then: ${error.message}`), stray)
  }

  #told(fault: HostError, { event, ...found }: Given): HostError {
    const stage = this.#stages[found.stage]
    if (!stage) return fault
    const { list, plugins, ...place } = stage
    const pointer = list === undefined ? undefined : `${list}/${found.index}`
    const where = pointer === undefined ? '' : ` at ${pathText(pointer)}`
    const what = `Hook "${place.hook}" of "${place.plugin}" returned an event that is not valid${where}: ${fault.message}`
    const others = isOutOfOrder(event) ? this.#after(found.stage) : plugins.slice(0, -1)
    return withFacts(withMessage(fault, `${what}${hint(others)}`), { ...place, pointer })
  }

  #noting(run: BoundHook<'fromNative'>): BoundHook<'fromNative'> {
    const note = (events: List): List => {
      this.#ofCore.push(events)
      return events
    }
    return (natives, core) => {
      const events = run(natives, core)
      return events instanceof Promise ? events.then(note) : note(events)
    }
  }

  /** A value that is no event at all, in the lists that lead to an answer; the earliest of those that follow each other. */
  #strayBefore(isStep: boolean, answer: number): Given | undefined {
    const cores = this.#stages.length - this.#steps
    const isFirst = answer % (isStep ? this.#steps : cores) === 0
    if (isStep) return isFirst ? undefined : this.#strayStep(answer)
    const stray = isFirst ? undefined : strayIn(this.#ofCore, answer, cores)
    const before = isFirst || stray?.stage === 0 ? this.#strayStep(this.#count) : undefined
    return before ?? (stray && { ...stray, stage: stray.stage + this.#steps })
  }

  #strayStep(end: number): Given | undefined {
    return this.#areEvents ? strayIn(this.#stepLists(), end, this.#steps) : undefined
  }

  /** The earliest hook from which on all hooks passed the event on. */
  #makerOf(event: unknown, count: number): Made | undefined {
    let found: Made | undefined
    for (let stage = this.#stages.length - 1; stage >= 0; stage--) {
      const made = this.#madeIn(stage, event, count)
      if (made === undefined) break
      found = made
    }
    return found
  }

  /** The place of an event in the answer that has it, after as many equal ones. */
  #madeIn(stage: number, event: unknown, count: number): Made | undefined {
    const isStep = stage < this.#steps
    const lists = isStep ? this.#stepLists() : this.#ofCore
    const [from, every] = isStep
      ? [stage, this.#steps]
      : [stage - this.#steps, this.#stages.length - this.#steps]
    let left = count
    for (let at = from; at < lists.length; at += every) {
      for (const [index, one] of (lists[at] ?? []).entries()) {
        if (isDeepStrictEqual(one, event) && left-- === 0) return { stage, index, at }
      }
    }
    return undefined
  }

  /** The answers of `processChunk`, with those that are the same lists. */
  #stepLists(): List[] {
    return this.#ofSteps.flatMap(({ from, events }, at) => {
      const next = this.#ofSteps[at + 1]?.from ?? this.#count
      return Array.from({ length: next - from }, () => events)
    })
  }

  #after(stage: number): readonly string[] {
    const [{ plugins: own = [] } = {}, ...later] = this.#stages.slice(stage)
    const names = new Set(later.flatMap(({ plugins }) => plugins))
    return [...names].filter((name) => !own.includes(name))
  }
}

type Hooks = readonly ChunkHook<'processChunk' | 'fromNative'>[]

function stagesOf(hook: 'processChunk' | 'fromNative', given: Hooks, joined: Hooks): Stage[] {
  const starts = joined.map(({ plugin }) => given.findIndex((one) => one.plugin === plugin))
  return starts.flatMap((start, at) => {
    const all = given.slice(start, starts[at + 1]).map(({ plugin }) => plugin)
    const last = all.at(-1)
    const list = hook === 'processChunk' ? '/0' : ''
    return last ? [{ ...placeOf(last, hook), list, plugins: all.map(({ name }) => name) }] : []
  })
}

/** @param end the number of lists before the answer; the lists of its chunk are the last ones */
function strayIn(lists: readonly List[], end: number, hooks: number): Given | undefined {
  let found: Given | undefined
  const begin = Math.floor((end - 1) / hooks) * hooks
  for (let at = end - 1; at >= begin; at--) {
    const events = lists[at] ?? []
    const index = events.findIndex((one) => !isObject(one) || typeof one['type'] !== 'string')
    if (index === -1) break
    found = { stage: at % hooks, index, event: events[index] }
  }
  return found
}

/** Where a plugin gives events. */
export function placeOf({ kind, name }: AnyPlugin, hook: string): ErrorPlace {
  const provider = kind === 'provider' ? name : undefined
  return { plugin: name, hook, phase: 'partials', provider }
}

/** Whether an event is right by itself, so that the fault is in the events before it. */
function isOutOfOrder(event: unknown): boolean {
  return segmentOf(event) !== undefined && faultAlone(event) === undefined
}

/** The fault of an event by itself, whichever events came before it. */
export function faultAlone(event: unknown): HostError | undefined {
  const { kind, step } = segmentOf(event) ?? {}
  const checker = new EventChecker()
  try {
    if (step !== undefined && step !== 'start' && isObject(event)) {
      checker.check({ type: `${kind}-start`, id: event['id'], name: '' })
    }
    checker.check(event, 'plugin')
    return undefined
  } catch (error) {
    return toHostError(error)
  }
}

function segmentOf(event: unknown): { kind?: string; step?: string } | undefined {
  return /^(?<kind>text|reasoning|tool-call)-(?<step>start|delta|end)$/.exec(typeOf(event))?.groups
}

function typeOf(event: unknown): string {
  return isObject(event) ? String(event['type']) : ''
}

function hint(others: readonly string[]): string {
  if (others.length === 0) return ''
  const names = others.map((name) => `"${name}"`).join(', ')
  return ` The fault may also be in the hook of ${names}, which the events pass too.`
}
