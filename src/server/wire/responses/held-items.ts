import { isDeleted } from '@braidwork/agent/internal'
import type { Message, Part, SourcePart, TextPart, ToolCallPart } from '@braidwork/plugin'
import { isClientCall, isRefusal, type RunFacts, sourcesBehind, withStepTexts } from '../index.ts'
import {
  argumentsText,
  callItem,
  endsAnswer,
  hostCallItem,
  type Item,
  type ItemPlace,
  imageIn,
  imageItem,
  messageItem,
  phaseIn,
  reasoningItem,
  sealedIn,
  textPart,
  UNSEALED,
} from './items.ts'
import { annotationOf } from './response.ts'

/** The place of a part in a list of messages. */
export interface PartPlace {
  readonly message: number
  readonly part: number
}

/** An item, the messages that it stands for, and the parts of the run's messages that are in them. */
export interface HeldItem {
  readonly item: Item
  readonly messages: readonly Message[]
  readonly parts: readonly PartPlace[]
}

/** The facts that the items of a run are made with. */
export type ItemFacts = Pick<RunFacts, 'runId' | 'clientTools' | 'toolWords' | 'holdsText'> & {
  /** Whether all reasoning has an `encrypted_content`. */
  readonly sealsReasoning?: boolean
  /** Whether the run ended without an error, so that it has an answer that is whole with these messages. */
  readonly isFinished?: boolean
}

/** Which items a client is shown. */
export interface ShownItems {
  /** Whether it is shown the calls that the host ran. The default is true. */
  readonly showsHostCalls?: boolean
}

/**
 * Returns the output items of a run, in order, from its messages. An answer without a text or a call of the client ends
 * with a message with an empty text.
 */
export function itemsOfRun(messages: readonly Message[], facts: ItemFacts): readonly HeldItem[] {
  const items = new RunItems(facts)
  const shown = withStepTexts(messages, facts)
  for (const [at, message] of messages.entries()) items.add(message, at, shown[at] ?? message)
  if (facts.isFinished) items.end(endsAnswer)
  else if (messages.at(-1)?.role === 'assistant') items.end(({ type }) => type !== 'mcp_call')
  return items.held()
}

/** Returns the host's own ids of the calls that it ran, by the ids of their items. */
export function hostCallIds(
  messages: readonly Message[],
  facts: ItemFacts,
): ReadonlyMap<string, string> {
  const calls = itemsOfRun(messages, facts).flatMap(({ item, messages: [first] }) => {
    const call = item.type === 'mcp_call' ? first?.parts[0] : undefined
    return call?.type === 'tool-call' ? [[item.id, call.callId] as const] : []
  })
  return new Map(calls)
}

/** A part with its place. */
interface Placed<P extends Part = Part> {
  readonly part: P
  readonly place: PartPlace
}

/** A part as a client is shown it, with the sources of a text. */
interface SourcedPart {
  readonly part: Part
  readonly sources: readonly SourcePart[]
}

interface Open {
  readonly item: Item
  readonly parts: Placed[]
  /** The result of a call that the host ran. */
  readonly result?: Placed
}

/** Collects the items of a run. Parts without an item of their own belong to the next one, or else to the last. */
class RunItems {
  readonly #facts: ItemFacts
  readonly #items: Open[] = []
  readonly #hostCalls = new Map<string, Placed<ToolCallPart>>()
  #hidden: Placed[] = []
  #count = 0
  #hasDeleted = false

  constructor(facts: ItemFacts) {
    this.#facts = facts
  }

  /** @param shown the message with the texts that a client is shown */
  add({ role, parts }: Message, at: number, shown: Message): void {
    if (role !== 'assistant' && role !== 'tool') return
    const sources = sourcesBehind(parts, isApart)
    for (const [index, part] of parts.entries()) {
      const placed = { part, place: { message: at, part: index } }
      if (isDeleted(part)) this.#skip()
      else if (role === 'tool') this.#addResult(placed)
      else
        this.#addPart(placed, { part: shown.parts[index] ?? part, sources: sources[index] ?? [] })
    }
  }

  /** Ends an answer, which has at least one item of some kind. */
  end(isEnd: (item: Item) => boolean): void {
    if (this.#hasDeleted || this.#items.some(({ item }) => isEnd(item))) return
    const text = textPart({ text: '', isRefusal: false })
    this.#push(messageItem(this.#next(), text), this.#hidden.splice(0))
  }

  held(): readonly HeldItem[] {
    this.#items.at(-1)?.parts.push(...this.#hidden)
    this.#hidden = []
    return this.#items.map(({ item, parts, result }) => ({
      item,
      messages: [
        ...(parts.length > 0
          ? [{ role: 'assistant' as const, parts: parts.map(({ part }) => part) }]
          : []),
        ...(result ? [{ role: 'tool' as const, parts: [result.part] }] : []),
      ],
      parts: [...parts, ...(result ? [result] : [])].map(({ place }) => place),
    }))
  }

  #skip(): void {
    this.#hasDeleted = true
    this.#count++
  }

  #addPart(placed: Placed, { part, sources }: SourcedPart): void {
    if (isHostCall(placed, this.#facts)) {
      this.#hostCalls.set(placed.part.callId, placed)
      return
    }
    const item = itemOf(part, sources, this.#next())
    if (item === undefined) this.#hidden.push(placed)
    else this.#push(item, [...this.#hidden.splice(0), placed])
  }

  #addResult(placed: Placed): void {
    const { part } = placed
    if (part.type !== 'tool-result') return
    const call = this.#hostCalls.get(part.callId)
    if (call === undefined) return
    const item = hostCallItem(this.#next(), { call: call.part, result: part })
    this.#items.push({ item, parts: [call], result: placed })
    this.#count++
  }

  #push(item: Item, parts: Placed[]): void {
    this.#items.push({ item, parts })
    this.#count++
  }

  #next(): ItemPlace & { readonly facts: ItemFacts } {
    return { of: this.#facts.runId, index: this.#count, facts: this.#facts }
  }
}

function isHostCall(placed: Placed, facts: ItemFacts): placed is Placed<ToolCallPart> {
  const { part } = placed
  return part.type === 'tool-call' && !part.providerExecuted && !isClientCall(part, facts)
}

function itemOf(
  part: Part,
  sources: readonly SourcePart[],
  place: ItemPlace & { readonly facts: ItemFacts },
): Item | undefined {
  if (part.type === 'text') return textItem(part, sources, place)
  if (part.type === 'reasoning') {
    const sealed = sealedIn(part.providerMetadata)
    const isNothing = part.text === '' && sealed === undefined
    const mark = place.facts.sealsReasoning ? UNSEALED : undefined
    return isNothing ? undefined : reasoningItem(place, part.text, sealed ?? mark)
  }
  if (part.type === 'file') {
    const data = imageIn(part)
    return data === undefined ? undefined : imageItem(place, data)
  }
  if (!isClientCall(part, place.facts)) return undefined
  const { callId, name, input } = part
  const word = wordOf(place.facts, name)
  return callItem(place, { callId, name, text: argumentsText(input), word })
}

function textItem(
  { text, providerMetadata }: TextPart,
  sources: readonly SourcePart[],
  place: ItemPlace,
): Item | undefined {
  if (text === '') return undefined
  const annotations = sources.flatMap((source) => annotationOf(source, text.length) ?? [])
  const part = textPart({ text, isRefusal: isRefusal(providerMetadata), annotations })
  return messageItem(place, part, phaseIn(providerMetadata))
}

/** Returns how the client names a tool, if the model is shown it in another way. */
export function wordOf({ toolWords = {} }: Pick<ItemFacts, 'toolWords'>, name: string) {
  return Object.hasOwn(toolWords, name) ? toolWords[name] : undefined
}

/** Only parts that become items separate a text from its sources. */
function isApart(part: Part): boolean {
  return part.type === 'file' ? imageIn(part) !== undefined : part.type !== 'data'
}
