import { createHash } from 'node:crypto'
import type { Context, Message, Part, ToolCallPart, ToolResultPart } from '@braidwork/plugin'
import { foreignText } from './content.ts'

/** The call ids that an API accepts. */
export interface CallIds {
  readonly pattern: RegExp
  readonly longest: number
  /** Whether call ids must be unique within a conversation. */
  readonly isUnique?: boolean
  /** Whether the API gave a call its id, which then goes back whatever its length and characters. By default none. */
  readonly isOwn?: (call: ToolCallPart) => boolean
}

/** Replaces a missing result. */
const NO_RESULT = 'No result of this call was recorded.'

/**
 * Repairs messages for the API by three rules. A call without a result gets an error as its result. A result without
 * a call becomes text of the user. An id that the API refuses is replaced by a digest, in the call and in its result.
 * Results are moved directly after their calls. Calls that a provider executed, and messages without a fault, stay
 * unchanged.
 */
export function repairHistory(
  messages: readonly Message[],
  ids: CallIds,
  warn: Context['warn'],
): readonly Message[] {
  return isSound(messages, ids) ? messages : new Repair(messages, ids, warn).run()
}

const isCall = (part: Part): part is ToolCallPart =>
  part.type === 'tool-call' && !part.providerExecuted

const isResult = (part: Part): part is ToolResultPart =>
  part.type === 'tool-result' && !part.providerExecuted

function isSound(messages: readonly Message[], ids: CallIds): boolean {
  const seen = new Set<string>()
  let open = new Set<string>()
  for (const { role, parts } of messages) {
    const results = parts.filter(isResult)
    if (role !== 'tool' && open.size > 0) return false
    if (results.some(({ callId }) => role !== 'tool' || !open.delete(callId))) return false
    if (role !== 'assistant') continue
    const calls = parts.filter(isCall)
    open = new Set(calls.map(({ callId }) => callId))
    if (open.size < calls.length || calls.some((call) => !fitsAsIs(call, ids, seen))) return false
    for (const { callId } of calls) seen.add(callId)
  }
  return open.size === 0
}

/** Whether a call may keep its id. */
function fitsAsIs(call: ToolCallPart, ids: CallIds, seen: Set<string>): boolean {
  const { callId } = call
  if (fits(callId, ids, seen)) return true
  return ids.isOwn?.(call) === true && callId !== '' && !(ids.isUnique && seen.has(callId))
}

function fits(id: string, { pattern, longest, isUnique }: CallIds, seen: Set<string>): boolean {
  return id.length <= longest && pattern.test(id) && !(isUnique && seen.has(id))
}

class Repair {
  readonly #messages: readonly Message[]
  readonly #ids: CallIds
  readonly #warn: Context['warn']
  readonly #seen = new Set<string>()
  /** The number of digests made from each id. */
  readonly #tried = new Map<string, number>()
  readonly #pairs: Pairs
  readonly #repaired: Message[] = []

  constructor(messages: readonly Message[], ids: CallIds, warn: Context['warn']) {
    this.#messages = messages
    this.#ids = ids
    this.#warn = warn
    this.#pairs = pairsOf(messages)
  }

  run(): readonly Message[] {
    for (const message of this.#messages) {
      if (message.role === 'assistant') this.#addAssistant(message)
      else this.#addOther(message)
    }
    return this.#repaired
  }

  #addAssistant(message: Message): void {
    const results: ToolResultPart[] = []
    const parts = message.parts.map((part) => {
      if (!isCall(part)) return part
      const callId = this.#idFor(part)
      results.push({ ...this.#resultOf(part), callId })
      return callId === part.callId ? part : { ...part, callId }
    })
    this.#repaired.push({ ...message, parts })
    if (results.length > 0) this.#repaired.push({ role: 'tool', parts: results })
  }

  #resultOf(call: ToolCallPart): ToolResultPart {
    const found = this.#pairs.resultOf(call)
    if (found) return found
    const { callId, name } = call
    this.#warn(`The call "${callId}" of "${name}" has no result: an error is sent as its result.`)
    return { type: 'tool-result', callId, name, output: NO_RESULT, isError: true }
  }

  #addOther(message: Message): void {
    const rest = message.parts.filter((part) => !isResult(part))
    const orphans = message.parts.filter(isResult).filter((part) => !this.#pairs.isAnswer(part))
    if (rest.length > 0) this.#repaired.push({ ...message, parts: rest })
    if (orphans.length === 0) return
    this.#warn(`A result that answers no call ("${orphans[0]?.name}") is sent as text.`)
    const parts = orphans.map((part): Part => ({ type: 'text', text: foreignText(part) ?? '' }))
    this.#repaired.push({ role: 'user', parts })
  }

  #idFor(call: ToolCallPart): string {
    const { callId: id } = call
    const { longest } = this.#ids
    let tried = this.#tried.get(id) ?? 0
    let fitting = tried === 0 ? id : digestOf(id, tried - 1, longest)
    const isKept = tried === 0 && fitsAsIs(call, this.#ids, this.#seen)
    if (!isKept) {
      for (; !fits(fitting, this.#ids, this.#seen); tried++) fitting = digestOf(id, tried, longest)
    }
    this.#tried.set(id, tried)
    this.#seen.add(fitting)
    return fitting
  }
}

/** A digest that replaces an id. A different `number` gives a different digest. */
function digestOf(id: string, number: number, longest: number): string {
  const digest = createHash('sha256')
    .update(number === 0 ? id : `${number} ${id}`)
    .digest('hex')
  return digest.slice(0, Math.min(longest, 32))
}

/** Which result belongs to which call. */
interface Pairs {
  resultOf(call: ToolCallPart): ToolResultPart | undefined
  isAnswer(result: ToolResultPart): boolean
}

/** Calls with the same id in one message; the first of them waits for a result. */
interface Waiting {
  readonly calls: ToolCallPart[]
  answered: number
}

/** Pairs each call with the first free result after it, up to the next call with the same id. */
function pairsOf(messages: readonly Message[]): Pairs {
  const results = new Map<ToolCallPart, ToolResultPart>()
  const answers = new Set<ToolResultPart>()
  const waiting = new Map<string, Waiting>()
  for (const { role, parts } of messages) {
    const own = role === 'assistant' ? callsById(parts.filter(isCall)) : NO_CALLS
    for (const part of parts) {
      if (!isResult(part) || own.has(part.callId) || answers.has(part)) continue
      const open = waiting.get(part.callId)
      const call = open?.calls[open.answered]
      if (!open || !call) continue
      open.answered++
      results.set(call, part)
      answers.add(part)
    }
    for (const [callId, calls] of own) waiting.set(callId, { calls, answered: 0 })
  }
  return { resultOf: (call) => results.get(call), isAnswer: (result) => answers.has(result) }
}

const NO_CALLS: ReadonlyMap<string, ToolCallPart[]> = new Map()

function callsById(calls: readonly ToolCallPart[]): ReadonlyMap<string, ToolCallPart[]> {
  const all = new Map<string, ToolCallPart[]>()
  for (const call of calls) {
    const same = all.get(call.callId)
    if (same) same.push(call)
    else all.set(call.callId, [call])
  }
  return all
}
