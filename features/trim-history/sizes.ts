import type { FilePart, Message, Part, ToolResultPart } from '@braidwork/plugin'
import type { Measure } from './tokenizer.ts'

/** What surrounds a message, and a call or a result in it. */
const MESSAGE = 4
const CALL = 8
/** What only the provider can read again is counted by its length. */
const CHARACTERS_A_TOKEN = 4

/** What there is to know of a request beside its messages. */
export interface Sizing {
  readonly provider: string | undefined
  readonly measure: Measure
}

/** The tokens of a message as its provider is told it. */
export function sizeOfMessage({ parts }: Message, sizing: Sizing): number {
  return parts.reduce((sum, part) => sum + sizeOf(part, sizing), MESSAGE)
}

interface Known {
  readonly provider: string | undefined
  readonly content: unknown
  readonly size: number
}

/** A history comes back with each request. */
const known = new WeakMap<Measure, WeakMap<Part, Known>>()

/** The tokens of a part; it is measured once, as long as nobody writes on in it. */
export function sizeOf(part: Part, sizing: Sizing): number {
  const { provider, measure } = sizing
  const sizes = known.get(measure) ?? new WeakMap<Part, Known>()
  known.set(measure, sizes)
  const before = sizes.get(part)
  const content = contentOf(part)
  if (before && before.content === content && before.provider === provider) return before.size
  const size = sizeOfPart(part, sizing)
  sizes.set(part, { provider, content, size })
  return size
}

function contentOf(part: Part): unknown {
  if (part.type === 'text' || part.type === 'reasoning') return part.text
  if (part.type === 'tool-call') return part.input
  return part.type === 'tool-result' ? part.output : part['data']
}

/** The tokens of anything that is sent as JSON, such as a tool's schema. */
export function sizeOfJson(value: unknown, measure: Measure): number {
  return value === undefined ? 0 : CALL + measure(textOf(value))
}

function sizeOfPart(part: Part, { provider, measure }: Sizing): number {
  const own = factsOf(part, provider)
  switch (part.type) {
    case 'text':
      return measure(part.text)
    case 'file':
      return sizeOfFile(part, measure)
    case 'reasoning':
      // Without facts of its own a provider leaves reasoning out.
      return own === undefined ? 0 : Math.max(measure(part.text), lengthOf(own))
    case 'tool-call':
      if (part.providerExecuted && own) return CALL + lengthOf([part.input, own])
      return CALL + measure(part.name) + measure(textOf(part.input))
    case 'tool-result':
      if (part.providerExecuted && own) return CALL + lengthOf([part.output, own])
      return CALL + sizeOfOutput(part.output, { provider, measure })
    case 'data':
      return isSent(part.name, provider) || own ? lengthOf(part.data) : 0
    default:
      return 0
  }
}

function sizeOfOutput(output: ToolResultPart['output'], sizing: Sizing): number {
  const { provider = '', measure } = sizing
  if (isPartList(output)) {
    return output.reduce((sum, part) => sum + sizeOfPart(part, sizing), 0)
  }
  if (!isRecord(output) || !isRecord(output['native'])) return measure(textOf(output))
  const { native } = output
  return measure(textOf(Object.hasOwn(native, provider) ? native[provider] : output['output']))
}

const IMAGE = 1600
/** Of a file that is elsewhere nobody knows the size. */
const ELSEWHERE = 10_000
const TEXTUAL = /^(text\/|application\/(json|xml|yaml)\b)/
const PLAYED = /^(audio|video)\//
/** Pages are dense, sound and film are not. */
const BYTES_A_TOKEN = { played: 512, other: 32 } as const

function sizeOfFile({ mediaType, data }: FilePart, measure: Measure): number {
  if (mediaType.startsWith('image/')) return IMAGE
  if (data === undefined) return ELSEWHERE
  if (TEXTUAL.test(mediaType)) return measure(Buffer.from(data, 'base64').toString())
  const bytes = Buffer.byteLength(data, 'base64')
  return Math.ceil(bytes / BYTES_A_TOKEN[PLAYED.test(mediaType) ? 'played' : 'other'])
}

/** What the provider of the request keeps of a part; of any provider where the config names none. */
function factsOf({ providerMetadata: facts }: Part, provider: string | undefined): unknown {
  if (facts === undefined || provider === undefined) return facts
  return Object.hasOwn(facts, provider) ? facts[provider] : undefined
}

/** Data of a provider's own, such as `anthropic-block`; all other data stays with the app. */
function isSent(name: string, provider: string | undefined): boolean {
  return provider !== undefined && name.startsWith(`${provider}-`)
}

function lengthOf(value: unknown): number {
  return Math.ceil(textOf(value).length / CHARACTERS_A_TOKEN)
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Whether an output is texts and files, as tools may answer. */
export function isPartList(value: unknown): value is readonly Part[] {
  return Array.isArray(value) && value.length > 0 && value.every(isTold)
}

function isTold(value: unknown): boolean {
  if (!isRecord(value)) return false
  if (value['type'] === 'text') return typeof value['text'] === 'string'
  return value['type'] === 'file' && typeof value['mediaType'] === 'string'
}

export function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
