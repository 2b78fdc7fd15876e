import { createHash } from 'node:crypto'
import type { Message, Part, ToolResultPart } from '@braidwork/plugin'
import { isPartList, isRecord, type Sizing, sizeOf, textOf } from './sizes.ts'
import { edgeAt, type Measure } from './tokenizer.ts'

/** Which results are long. */
export interface LongResults {
  /** The most tokens of a result that stays whole. */
  readonly most: number
  /** The index of the first message whose results the model could not read again. */
  readonly readableBefore: number
}

/** The most characters and lines of a result that was shortened. AW-44 */
const MOST_CHARACTERS = 1600
const MOST_LINES = 24

/**
 * Whether a result may have more than `most` tokens and can be shortened: the model can read the whole again, because
 * the host has stored it, or has it in the messages. LT-09
 */
export function isLong(
  part: Part,
  { most, readableBefore, at }: LongResults & { readonly at: number },
  sizing: Sizing,
): part is ToolResultPart {
  if (part.type !== 'tool-result') return false
  const isReadable =
    part.references !== undefined || (at < readableBefore && !part.providerExecuted)
  // Output for one provider is in that provider's own format, so it is not touched.
  if (!isReadable || (isRecord(part.output) && isRecord(part.output['native']))) return false
  return sizeOf(part, sizing) > most
}

/** Shortens long results to their beginning and end. */
export function shortenResults(
  messages: readonly Message[],
  limits: LongResults,
  sizing: Sizing,
): readonly Message[] {
  const shorter = messages.map((message, at) => {
    const parts = message.parts.map((part) =>
      isLong(part, { ...limits, at }, sizing) ? shortened(part, limits.most, sizing.measure) : part,
    )
    return isSame(parts, message.parts) ? message : { ...message, parts }
  })
  return isSame(shorter, messages) ? messages : shorter
}

function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.every((one, at) => one === others[at])
}

interface Short {
  readonly output: unknown
  readonly most: number
  readonly measure: Measure
  readonly part: ToolResultPart
}

/** A cache of shortened parts, since the same history comes with each request. */
const made = new WeakMap<ToolResultPart, Short>()

function shortened(part: ToolResultPart, most: number, measure: Measure): ToolResultPart {
  const { output } = part
  const before = made.get(part)
  if (before && before.output === output && before.most === most && before.measure === measure)
    return before.part
  const short = shortOutput(part, most, measure)
  const shorter = short === output ? part : { ...part, output: short }
  made.set(part, { output, most, measure, part: shorter })
  return shorter
}

/** Shortens the texts of an output. Files are kept, after the texts. */
function shortOutput(
  { output, references = [] }: ToolResultPart,
  most: number,
  measure: Measure,
): unknown {
  const isList = isPartList(output)
  const texts = isList ? output.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : []
  const text = isList ? texts.join('\n') : textOf(output)
  const tokens = measure(text)
  if (tokens <= most) return output
  const stored = references.map(({ hash }) => hash).join(', ') || hashOf(text)
  const short = withoutMiddle(text, { share: most / tokens, most, measure, stored })
  return isList ? [{ type: 'text', text: short }, ...output.filter(isFile)] : short
}

/** The name under which the host finds the result of a tool in the messages. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

const isFile = ({ type }: Part): boolean => type === 'file'

interface Limit {
  /** The estimated share of the text that fits. */
  readonly share: number
  readonly most: number
  readonly measure: Measure
  /** Where the whole text is. */
  readonly stored: string
}

/** The factor for the next attempt when the kept beginning and end were still too long. */
const LESS = 0.8

function withoutMiddle(text: string, { share, most, measure, stored }: Limit): string {
  for (let half = Math.min(text.length * share, MOST_CHARACTERS) / 2; ; half *= LESS) {
    const beginning = firstLines(text.slice(0, edgeAt(text, Math.floor(half))))
    const end = lastLines(text.slice(edgeAt(text, text.length - Math.floor(half))))
    const gap = text.length - beginning.length - end.length
    const short = `${beginning}\n[${gap} characters left out; the result is stored as ${stored}]\n${end}`
    if (half < 1 || (short.length <= MOST_CHARACTERS && measure(short) <= most)) return short
  }
}

/** The lines of the beginning, and those of the end: one is left for what is between them. */
const HALF_OF_LINES = Math.floor((MOST_LINES - 1) / 2)

function firstLines(text: string): string {
  return text.split('\n', HALF_OF_LINES).join('\n')
}

function lastLines(text: string): string {
  return text.split('\n').slice(-HALF_OF_LINES).join('\n')
}
