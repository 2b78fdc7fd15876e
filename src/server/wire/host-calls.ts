import type { Message, RunEvent, ToolCallPart, ToolResultPart } from '@braidwork/plugin'

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

  /** Returns the calls that have ended with an event. */
  add(event: RunEvent): readonly HostCall[] {
    if (event.type === 'tool-call-start') {
      if (!event.providerExecuted && !this.#isOwn(event.name)) this.#names.set(event.id, event.name)
    } else if (event.type === 'tool-call-end') {
      const { id: callId, input } = event
      const name = this.#names.get(callId)
      if (name !== undefined) this.#calls.push({ type: 'tool-call', callId, name, input })
    } else if (event.type === 'tool-execution-end') {
      this.#results.set(event.callId, event.result)
      const open = this.#calls.findIndex(({ callId }) => !this.#results.has(callId))
      return this.#take(open < 0 ? this.#calls.length : open)
    } else if (event.type === 'step-reset' || event.type === 'step-start') {
      this.#calls = []
      this.#names.clear()
      this.#results.clear()
    }
    return []
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
