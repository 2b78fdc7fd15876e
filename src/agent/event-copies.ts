import type { Message, RunEventBody } from '@braidwork/plugin'

/**
 * An event with frozen copies of the messages and results that it tells, so that nobody who sees the event changes the
 * run by it. Values in them, such as the output of a tool, are shared. CT-28
 */
export function unshared(event: RunEventBody): RunEventBody {
  switch (event.type) {
    case 'step-finish':
      return { ...event, messages: Object.freeze(event.messages.map(frozenMessage)) }
    case 'tool-execution-end':
      return { ...event, result: Object.freeze({ ...event.result }) }
    case 'steering':
      return { ...event, message: frozenMessage(event.message) }
    default:
      return event
  }
}

function frozenMessage(message: Message): Message {
  const parts = message.parts.map((part) => Object.freeze({ ...part }))
  return Object.freeze({ ...message, parts: Object.freeze(parts) })
}
