import type { Message, Part, PartialEvent } from '../../../src/plugin/events/index.ts'
import type { Extension } from '../../../src/plugin/index.ts'

export const loud = (text: string): string => text.replaceAll(/[a-z]/g, (one) => one.toUpperCase())

const loudPart = (part: Part): Part =>
  part.type === 'text' ? { ...part, text: loud(part.text) } : part

export const isEvent = (item: Message | PartialEvent): item is PartialEvent => 'type' in item

export const loudEvent = (event: PartialEvent): PartialEvent =>
  event.type === 'text-delta' ? { ...event, delta: loud(event.delta) } : event

export const loudMessage = (message: Message): Message => ({
  ...message,
  parts: message.parts.map(loudPart),
})

/** A correct extension with every hook of a request: it makes texts loud. */
export const EXTENSION = {
  kind: 'extension',
  name: 'loud',
  configSchema: {
    type: 'object',
    properties: {
      volume: { type: 'integer', title: 'Volume', minimum: 1, default: 3 },
      api_key: { type: 'string', title: 'Key', writeOnly: true },
    },
    additionalProperties: false,
  },
  getModels: (_config, models) => models,
  getTags: () => ['loud'],
  isEnabled: () => true,
  init: (_config, state) => ({ ...state, loud: true }),
  editMessages: (messages) => [...messages],
  toNative: (_messages, native) => native,
  initializeRequest: (native, state) => [native, { ...state, ready: true }],
  processChunk: (_chunk, partials, finals, native, state) => [partials, finals, native, state],
  finalize: (finals, native, state) => [finals, native, state],
  fromNative: (_natives, core) =>
    core.map((item) => (isEvent(item) ? loudEvent(item) : loudMessage(item))),
  getUiElements: () => [{ id: 'shout', kind: 'session-action', title: 'Shout' }],
  runAction: () => ({}),
  close: () => undefined,
} as const satisfies Extension
