import { DEFAULT_WIRE_LIMITS } from '../../../src/server/options/server-options.ts'
import { BODIES } from '../../hostile/linear/bodies.ts'

const { body, messages, parts, calls, tools, values } = DEFAULT_WIRE_LIMITS

export const PATHS = {
  'chat-completions': '/v1/chat/completions',
  responses: '/v1/responses',
  'anthropic-messages': '/v1/messages',
  'ui-message-stream': '/api/chat',
  'ag-ui': '/ag-ui',
} as const satisfies { readonly [P in keyof typeof BODIES]: string }

export type WireName = keyof typeof PATHS

type Change = (value: string) => string

/** A body as large as it may be in one way. */
export interface WorstBody {
  readonly name: string
  readonly make: (wire: WireName) => object
}

/** As many as one limit lets in, and as long together as a body may be. */
function most(what: 'messages' | 'parts' | 'calls and results' | 'tools', count: number) {
  return (wire: WireName): object => {
    const made = BODIES[wire][what](count)
    const room = Math.floor((body * 0.9 - JSON.stringify(made).length) / count)
    return lengthened(made, room)
  }
}

/** Longer texts, of results and of what is said. */
function lengthened(made: object, room: number): object {
  const longer: Change = (text) => `${text} ${'x'.repeat(Math.max(0, room - 1))}`
  return JSON.parse(JSON.stringify(made), (key, value: unknown) => {
    const isText = ['content', 'text', 'output', 'description'].includes(key)
    return isText && typeof value === 'string' && room > 0 ? longer(value) : value
  }) as object
}

/** One message whose text is this. */
function saying(text: string) {
  return (wire: WireName): object =>
    JSON.parse(JSON.stringify(BODIES[wire].messages(1)), (key, value: unknown) =>
      (key === 'content' || key === 'text') && typeof value === 'string' ? text : value,
    ) as object
}

const LONG = Math.floor(body * 0.9)

function imageOf(wire: WireName): object {
  const data = 'iVBO'.repeat(Math.floor(LONG / 4))
  const url = `data:image/png;base64,${data}`
  const part: { readonly [W in WireName]: object } = {
    'chat-completions': { type: 'image_url', image_url: { url } },
    responses: { type: 'input_image', image_url: url },
    'anthropic-messages': {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data },
    },
    'ui-message-stream': { type: 'file', mediaType: 'image/png', url },
    'ag-ui': { type: 'image', source: { type: 'data', mimeType: 'image/png', value: data } },
  }
  const [message] = Object.values(BODIES[wire].parts(1)).find(Array.isArray) as [object]
  const content = 'parts' in message ? 'parts' : 'content'
  const key = wire === 'responses' ? 'input' : 'messages'
  return { ...BODIES[wire].parts(1), [key]: [{ ...message, [content]: [part[wire]] }] }
}

/** Arguments of a call with as many keys as values are let in. */
function wideInput(wire: WireName): object {
  const count = Math.floor(values / 11.5)
  const input = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]))
  return JSON.parse(JSON.stringify(BODIES[wire]['calls and results'](1)), (key, value: unknown) => {
    if (key === 'arguments') return JSON.stringify(input)
    return key === 'input' && !Array.isArray(value) ? input : value
  }) as object
}

export const WORST: readonly WorstBody[] = [
  { name: 'messages', make: most('messages', messages) },
  { name: 'parts', make: most('parts', parts) },
  { name: 'calls', make: (wire) => most('calls and results', callsIn(wire))(wire) },
  { name: 'tools', make: most('tools', tools) },
  { name: 'a text', make: saying('word '.repeat(LONG / 5)) },
  { name: 'a text of escapes', make: saying(`${'\n'.repeat(LONG / 2 - 1)}x`) },
  { name: 'a text of four bytes a sign', make: saying('😀'.repeat(LONG / 4)) },
  { name: 'an image', make: imageOf },
  { name: 'a wide input', make: wideInput },
]

/** Results are messages, or items, of their own in some. */
function callsIn(wire: WireName): number {
  if (wire === 'responses') return messages / 2 - 1
  return wire === 'anthropic-messages' ? calls - 1 : Math.min(calls, messages - 2)
}
