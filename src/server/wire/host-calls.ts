import type { Message, RunEvent, ToolCallPart, ToolResultPart } from '@braidwork/plugin'

type Started = Extract<RunEvent, { readonly type: 'tool-call-start' }>
type Ended = Extract<RunEvent, { readonly type: 'tool-call-end' }>

/** A call that the host ran, with its result. */
export interface HostCall {
  readonly call: ToolCallPart
  readonly result: ToolResultPart
}

/** The name under which protocols show the host, where they name the server that ran a call. */
export const SERVER_LABEL = 'braidwork'

/** Whether a tool is the client's own, so that the client answers its calls. */
type IsOwn = (name: string) => boolean

/**
 * Finds the calls that the host ran in the events of a run. Calls that run at the same time end in any order; they are
 * returned in the order in which the model made them, each as soon as those before it have ended.
 */
export class HostCalls {
  readonly #isOwn: IsOwn
  #calls: ToolCallPart[] = []
  readonly #names = new Map<string, string>()
  readonly #results = new Map<string, ToolResultPart>()

  constructor(isOwn: IsOwn) {
    this.#isOwn = isOwn
  }

  start({ id, name, providerExecuted }: Started): void {
    if (!providerExecuted && !this.#isOwn(name)) this.#names.set(id, name)
  }

  /** Adds a call whose arguments are complete. */
  end({ id: callId, input }: Ended): void {
    const name = this.#names.get(callId)
    if (name !== undefined) this.#calls.push({ type: 'tool-call', callId, name, input })
  }

  /** Adds a result. Returns the calls that can be shown now. */
  answer(result: ToolResultPart): readonly HostCall[] {
    this.#results.set(result.callId, result)
    const open = this.#calls.findIndex(({ callId }) => !this.#results.has(callId))
    return this.#take(open < 0 ? this.#calls.length : open)
  }

  /** Forgets the calls of a step. */
  clear(): void {
    this.#calls = []
    this.#names.clear()
    this.#results.clear()
  }

  /** Returns the calls that have ended although an earlier one has not. */
  rest(): readonly HostCall[] {
    return this.#results.size === 0 ? [] : this.#take(this.#calls.length)
  }

  #take(count: number): readonly HostCall[] {
    return this.#calls.splice(0, count).flatMap((call) => {
      const result = this.#results.get(call.callId)
      return result ? [{ call, result }] : []
    })
  }
}

/** Returns the calls that the host ran in the messages of a run, each by the part with its result. */
export function hostCallsIn(
  messages: readonly Message[],
  isOwn: IsOwn,
): ReadonlyMap<unknown, HostCall> {
  const calls = new Map<string, ToolCallPart>()
  const ended = new Map<unknown, HostCall>()
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.type === 'tool-call' && !part.providerExecuted && !isOwn(part.name)) {
      calls.set(part.callId, part)
    }
    const call = part.type === 'tool-result' ? calls.get(part.callId) : undefined
    if (part.type === 'tool-result' && call) ended.set(part, { call, result: part })
  }
  return ended
}
