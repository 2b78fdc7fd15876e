import { type Extension, isMessage, type Message, type PartialEvent } from '@braidwork/plugin'

const STRAIGHT: { readonly [quote: string]: string } = { '“': '"', '”': '"', '‘': "'", '’': "'" }

/** Replaces single characters only. So the result is the same wherever a stream cuts the text. */
function straighten(text: string): string {
  return text.replace(/[“”‘’]/g, (quote) => STRAIGHT[quote] ?? quote)
}

function changeEvent(event: PartialEvent): PartialEvent {
  return event.type === 'text-delta' ? { ...event, delta: straighten(event.delta) } : event
}

function changeMessage(message: Message): Message {
  const parts = message.parts.map((part) =>
    part.type === 'text' ? { ...part, text: straighten(part.text) } : part,
  )
  return { ...message, parts }
}

export default {
  kind: 'extension',
  name: '{{name}}',
  // Off until a config enables it, since it changes answers.
  defaultEnabled: false,
  requiredTags: ['{{tags}}'],

  // The host passes the events of a stream as they come, and the messages of each finished answer.
  fromNative: (_natives, core) =>
    core.map((item) => (isMessage(item) ? changeMessage(item) : changeEvent(item))),
} satisfies Extension
