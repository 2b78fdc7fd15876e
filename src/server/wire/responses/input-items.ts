import { isDeleted } from '@braidwork/agent/internal'
import type { FilePart, Message, Part } from '@braidwork/plugin'
import { outputTextOf } from '../index.ts'
import { type HeldItem, itemsOfRun } from './held-items.ts'
import { type Item, type ItemPlace, itemId } from './items.ts'

/** The tools of a message that a client sent: it answers all calls itself. */
const ALL_TOOLS = { has: () => true } as unknown as ReadonlySet<string>

/**
 * Returns the items of a message that a client sent.
 * @param of the message's id
 */
export function itemsOfInput(message: Message, of: string): readonly HeldItem[] {
  const { role, parts } = message
  if (role === 'assistant') return itemsOfRun([message], { runId: of, clientTools: ALL_TOOLS })
  if (role === 'tool') return parts.flatMap((part, index) => resultItem(part, { of, index }))
  if (parts.some(isDeleted)) return []
  const content = parts.flatMap((part) => contentOf(part, role) ?? [])
  const id = itemId('msg', { of, index: 0 })
  const item: Item = { id, type: 'message', status: 'completed', role, content }
  const places = parts.map((_, part) => ({ message: 0, part }))
  return [{ item, messages: [message], parts: places }]
}

function resultItem(part: Part, place: ItemPlace): readonly HeldItem[] {
  if (part.type !== 'tool-result') return []
  const item: Item = {
    id: itemId('fco', place),
    type: 'function_call_output',
    status: 'completed',
    call_id: part.callId,
    output: outputTextOf(part),
  }
  const messages: readonly Message[] = [{ role: 'tool', parts: [part] }]
  return [{ item, messages, parts: [{ message: 0, part: place.index }] }]
}

function contentOf(part: Part, role: Message['role']): object | undefined {
  if (part.type === 'text') return { type: 'input_text', text: part.text }
  if (part.type !== 'file' || role !== 'user') return undefined
  return part.mediaType.startsWith('image/')
    ? { type: 'input_image', detail: 'auto', file_id: null, image_url: addressOf(part) }
    : { type: 'input_file', filename: part.name ?? null, ...fileOf(part) }
}

function addressOf({ mediaType, url, data }: FilePart): string {
  return url ?? `data:${mediaType};base64,${data ?? ''}`
}

function fileOf(part: FilePart): object {
  return part.url === undefined ? { file_data: addressOf(part) } : { file_url: part.url }
}
