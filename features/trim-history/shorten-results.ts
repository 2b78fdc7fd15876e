import type { Message, Part, ToolResultPart } from '@braidwork/plugin'
import { isPartList, isRecord, type Sizing, sizeOf, textOf } from './sizes.ts'
import { edgeAt, type Measure } from './tokenizer.ts'

/**
 * Whether a result may have more than `most` tokens and can be shortened: the model can read the whole again, because
 * the host has stored it. LT-09
 */
export function isLong(part: Part, most: number, sizing: Sizing): part is ToolResultPart {
  if (part.type !== 'tool-result' || part.references === undefined) return false
  // Output for one provider is in that provider's own format, so it is not touched.
  if (isRecord(part.output) && isRecord(part.output['native'])) return false
  return sizeOf(part, sizing) > most
}

/** Limits tool results to `most` tokens of text. The middle of a longer text is removed. */
export function shortenResults(
  messages: readonly Message[],
  most: number,
  sizing: Sizing,
): readonly Message[] {
  const shorter = messages.map((message) => {
    const parts = message.parts.map((part) =>
      isLong(part, most, sizing) ? shortened(part, most, sizing.measure) : part,
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
  const stored = references.map(({ hash }) => hash).join(', ')
  const short = withoutMiddle(text, { share: most / tokens, most, measure, stored })
  return isList ? [{ type: 'text', text: short }, ...output.filter(isFile)] : short
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
  for (let half = (text.length * share) / 2; ; half *= LESS) {
    const beginning = text.slice(0, edgeAt(text, Math.floor(half)))
    const end = text.slice(edgeAt(text, text.length - Math.floor(half)))
    const gap = text.length - beginning.length - end.length
    const short = `${beginning}\n[${gap} characters left out; the result is stored as ${stored}]\n${end}`
    if (half < 1 || measure(short) <= most) return short
  }
}
