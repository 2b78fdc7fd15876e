import type { FilePart, Message, Part, ToolResultPart } from '@braidwork/plugin'
import type { Measure } from './tokenizer.ts'

/** Estimated tokens of the markup around a message, a call or a result. */
const MESSAGE = 4
const CALL = 8
/** For encrypted data, whose tokens only the provider can count. */
const CHARACTERS_A_TOKEN = 4

/** The facts needed for counting, in addition to the messages. */
export interface Sizing {
  readonly provider: string | undefined
  readonly measure: Measure
}

/** The tokens of a message, counting only the data that its provider is sent. */
export function sizeOfMessage({ parts }: Message, sizing: Sizing): number {
  return parts.reduce((sum, part) => sum + sizeOf(part, sizing), MESSAGE)
}

interface Known {
  readonly provider: string | undefined
  readonly content: unknown
  readonly size: number
}

/** A cache of counts, since the same history comes with each request. */
const known = new WeakMap<Measure, WeakMap<Part, Known>>()

/** The tokens of a part. The count is cached until the part changes. */
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

/** The tokens of a value that is sent as JSON, such as a tool's schema. */
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
      // A provider drops reasoning that has no metadata of its own.
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
/** The estimate for a file given by URL, whose size is unknown. */
const ELSEWHERE = 10_000
const TEXTUAL = /^(text\/|application\/(json|xml|yaml)\b)/
const PLAYED = /^(audio|video)\//
/** Document pages contain many tokens per byte; audio and video few. */
const BYTES_A_TOKEN = { played: 512, other: 32 } as const

function sizeOfFile({ mediaType, data }: FilePart, measure: Measure): number {
  if (mediaType.startsWith('image/')) return IMAGE
  if (data === undefined) return ELSEWHERE
  if (TEXTUAL.test(mediaType)) return measure(Buffer.from(data, 'base64').toString())
  const bytes = Buffer.byteLength(data, 'base64')
  return Math.ceil(bytes / BYTES_A_TOKEN[PLAYED.test(mediaType) ? 'played' : 'other'])
}

/** The metadata that the request's provider stored on a part; of any provider if the config names none. */
function factsOf({ providerMetadata: facts }: Part, provider: string | undefined): unknown {
  if (facts === undefined || provider === undefined) return facts
  return Object.hasOwn(facts, provider) ? facts[provider] : undefined
}

/** Whether a data part is sent. Only parts of the provider's own, such as `anthropic-block`, are. */
function isSent(name: string, provider: string | undefined): boolean {
  return provider !== undefined && name.startsWith(`${provider}-`)
}

function lengthOf(value: unknown): number {
  return Math.ceil(textOf(value).length / CHARACTERS_A_TOKEN)
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Whether a tool output is a list of text and file parts. */
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
