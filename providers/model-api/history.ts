import { createHash } from 'node:crypto'
import type { Context, Message, Part, ToolCallPart, ToolResultPart } from 'braidwork/plugin'
import { foreignText } from './content.ts'

/** Which ids of calls an API takes. */
export interface CallIds {
  readonly pattern: RegExp
  readonly longest: number
  /** Whether no two calls of a conversation may have the same. */
  readonly isUnique?: boolean
}

/** What stands in for a result that nobody kept. */
const NO_RESULT = 'No result of this call was recorded.'

/**
 * Messages that an API takes, by three rules: a call that nothing answers is answered with an error; a
 * result that answers no call becomes text of the user; an id that the API refuses is replaced, in the call
 * and in its result, by a digest of it. Results stand behind their calls. Calls that a provider ran itself
 * stay as they are, and so do messages without a fault.
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
    if (open.size < calls.length || calls.some(({ callId }) => !fits(callId, ids, seen)))
      return false
    for (const { callId } of calls) seen.add(callId)
  }
  return open.size === 0
}

function fits(id: string, { pattern, longest, isUnique }: CallIds, seen: Set<string>): boolean {
  return id.length <= longest && pattern.test(id) && !(isUnique && seen.has(id))
}

class Repair {
  readonly #messages: readonly Message[]
  readonly #ids: CallIds
  readonly #warn: Context['warn']
  readonly #seen = new Set<string>()
  readonly #used = new Set<ToolResultPart>()
  readonly #repaired: Message[] = []

  constructor(messages: readonly Message[], ids: CallIds, warn: Context['warn']) {
    this.#messages = messages
    this.#ids = ids
    this.#warn = warn
  }

  run(): readonly Message[] {
    this.#messages.forEach((message, at) => {
      if (message.role === 'assistant') this.#addAssistant(message, at)
      else this.#addOther(message)
    })
    return this.#repaired
  }

  #addAssistant(message: Message, at: number): void {
    const results: ToolResultPart[] = []
    const parts = message.parts.map((part) => {
      if (!isCall(part)) return part
      const callId = this.#idFor(part.callId)
      results.push({ ...this.#resultOf(part, at), callId })
      return callId === part.callId ? part : { ...part, callId }
    })
    this.#repaired.push({ ...message, parts })
    if (results.length > 0) this.#repaired.push({ role: 'tool', parts: results })
  }

  /** The first result of a call, before the same id is called again. */
  #resultOf({ callId, name }: ToolCallPart, from: number): ToolResultPart {
    for (const { role, parts } of this.#messages.slice(from + 1)) {
      if (role === 'assistant' && parts.some((part) => isCall(part) && part.callId === callId))
        break
      const found = parts.filter(isResult).find((part) => this.#answers(part, callId))
      if (!found) continue
      this.#used.add(found)
      return found
    }
    this.#warn(`The call "${callId}" of "${name}" has no result: an error stands in for it.`)
    return { type: 'tool-result', callId, name, output: NO_RESULT, isError: true }
  }

  #answers(part: ToolResultPart, callId: string): boolean {
    return part.callId === callId && !this.#used.has(part)
  }

  #addOther(message: Message): void {
    const rest = message.parts.filter((part) => !isResult(part))
    const orphans = message.parts.filter(isResult).filter((part) => !this.#used.has(part))
    if (rest.length > 0) this.#repaired.push({ ...message, parts: rest })
    if (orphans.length === 0) return
    this.#warn(`A result that answers no call ("${orphans[0]?.name}") is told as text.`)
    const parts = orphans.map((part): Part => ({ type: 'text', text: foreignText(part) ?? '' }))
    this.#repaired.push({ role: 'user', parts })
  }

  #idFor(id: string): string {
    const { longest } = this.#ids
    let fitting = id
    for (let round = 0; !fits(fitting, this.#ids, this.#seen); round++) {
      const digest = createHash('sha256')
        .update(round === 0 ? id : `${round} ${id}`)
        .digest('hex')
      fitting = digest.slice(0, Math.min(longest, 32))
    }
    this.#seen.add(fitting)
    return fitting
  }
}
