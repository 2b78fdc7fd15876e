import type { Message, Part, ToolCallPart, ToolResultPart } from '@braidwork/plugin'

/** The result of a call that has none: the model must be told, and a model API refuses a call without one. */
const NO_RESULT = '[There is no result of this call: it was interrupted, or its result is lost.]'

/** The calls of messages that have no result; the results that have no call, and the calls that a message repeats. */
interface Faults {
  readonly dangling: ReadonlySet<ToolCallPart>
  readonly stray: ReadonlySet<Part>
}

/**
 * Answers each call that has no result, right after the message with the call, and leaves out results without a call.
 * Returns the same array if there are none.
 * @param tell receives each call that is answered so
 */
export function repaired(
  messages: readonly Message[],
  tell: (call: ToolCallPart) => void,
): readonly Message[] {
  const { dangling, stray } = faultsOf(messages)
  if (dangling.size === 0 && stray.size === 0) return messages
  for (const call of dangling) tell(call)
  return answered(withoutStray(messages, stray), dangling)
}

/** The messages without some of their parts, and without those that had no others. */
function withoutStray(messages: readonly Message[], stray: ReadonlySet<Part>): readonly Message[] {
  return messages.flatMap((message) => {
    const parts = message.parts.filter((part) => !stray.has(part))
    if (parts.length === message.parts.length) return [message]
    return parts.length === 0 ? [] : [{ ...message, parts }]
  })
}

/** Adds the missing results: to the results that follow, since a model API wants those of a message together. */
function answered(messages: readonly Message[], dangling: ReadonlySet<Part>): readonly Message[] {
  const answersTo = (message: Message | undefined): readonly ToolResultPart[] =>
    message?.parts.flatMap((part) =>
      part.type === 'tool-call' && dangling.has(part) ? [answerTo(part)] : [],
    ) ?? []
  return messages.flatMap((message, at) => {
    const [due, own] = [answersTo(messages[at - 1]), answersTo(message)]
    if (message.role === 'tool' && due.length > 0) {
      return [{ ...message, parts: [...due, ...message.parts] }]
    }
    const isAnswered = own.length === 0 || messages[at + 1]?.role === 'tool'
    return isAnswered ? [message] : [message, { role: 'tool', parts: own }]
  })
}

function answerTo({ callId, name }: ToolCallPart): ToolResultPart {
  return { type: 'tool-result', callId, name, output: NO_RESULT, isError: true }
}

/** A call that has no result yet, and its message. */
interface OpenCall {
  readonly call: ToolCallPart
  readonly message: Message
}

/** Finds what has no counterpart. An id may come again once its call is answered, but not in the same message. */
function faultsOf(messages: readonly Message[]): Faults {
  const open = new Map<string, OpenCall>()
  const dangling = new Set<ToolCallPart>()
  const stray = new Set<Part>()
  const begin = (call: ToolCallPart, message: Message): void => {
    const before = open.get(call.callId)
    if (before?.message === message) {
      stray.add(call)
      return
    }
    if (before) dangling.add(before.call)
    open.set(call.callId, { call, message })
  }
  for (const message of messages) {
    for (const part of message.parts) {
      if (isOfHost(part, 'tool-call')) begin(part, message)
      if (isOfHost(part, 'tool-result') && !open.delete(part.callId)) stray.add(part)
    }
  }
  for (const { call } of open.values()) dangling.add(call)
  return { dangling, stray }
}

/** Whether a part is a call that the host runs, or the result of one. */
function isOfHost<T extends 'tool-call' | 'tool-result'>(
  part: Part,
  type: T,
): part is Extract<Part, { readonly type: T }> {
  return part.type === type && !(part as ToolCallPart).providerExecuted
}
