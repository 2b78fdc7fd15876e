import type { Message, Part, TextPart } from '@braidwork/plugin'
import type { ThinkTags } from './settings.ts'
import { type Sink, Splitter } from './splitter.ts'

/** Converts tagged text in messages to reasoning parts. Only the first text may begin inside a tag. */
export function splitMessages(
  messages: readonly Message[],
  settings: ThinkTags,
): readonly Message[] {
  let isFirst = true
  function split(part: Part): Part | readonly Part[] {
    if (part.type !== 'text') return part
    const starts_open = settings.starts_open && isFirst
    isFirst &&= part.text === ''
    return splitPart(part, { ...settings, starts_open })
  }
  return messages.map((message) =>
    message.role === 'assistant' ? { ...message, parts: message.parts.flatMap(split) } : message,
  )
}

function splitPart(part: TextPart, tags: ThinkTags): readonly Part[] {
  const parts: { type: 'text' | 'reasoning'; text: string }[] = []
  const splitter = new Splitter(tags, sinkInto(parts))
  splitter.add(part.text)
  splitter.end()
  const { providerMetadata } = part
  const isWhole = parts.length === 0 ? part.text === '' : parts[0]?.text === part.text
  if (isWhole && parts[0]?.type !== 'reasoning') return [part]
  if (providerMetadata === undefined) return parts
  const last = parts.at(-1)
  return last?.type === 'text'
    ? [...parts.slice(0, -1), { ...last, type: 'text', providerMetadata }]
    : [...parts, { type: 'text', text: '', providerMetadata }]
}

function sinkInto(parts: { type: 'text' | 'reasoning'; text: string }[]): Sink {
  let isOpen = false
  return {
    write(type, text) {
      const open = isOpen ? parts.at(-1) : undefined
      if (open) open.text += text
      else parts.push({ type, text })
      isOpen = true
    },
    close() {
      isOpen = false
    },
  }
}
