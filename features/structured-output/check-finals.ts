import type { Context, Message, MessageMetadata } from '@braidwork/plugin'
import type { Check } from './compile-schema.ts'
import type { FoundJson } from './find-json.ts'
import { AGAIN, CODE, CUT, faultMessage, outputError } from './output-error.ts'
import { readAnswer } from './read-answer.ts'

/** The facts of the request that the check needs. */
export interface Asked {
  readonly check: Check
  /** True if this feature asked for the answer again. */
  readonly isRepair: boolean
}

/**
 * Adds the parsed value to the finals, or a retry request that describes the faults. Messages that are not a final
 * answer stay unchanged: those with tool calls to execute, refusals, and steps that another plugin repeats.
 * @throws OUTPUT_INVALID if no further step is allowed; TIMEOUT
 */
export function checkFinals(
  finals: readonly Message[],
  { check, isRepair }: Asked,
  context: Context,
): readonly Message[] {
  const last = finals.findLast(({ role }) => role === 'assistant')
  if (!last) throw outputError(faultMessage(['there is no answer'], isRepair))
  if (finals.some(isUnfinished) || isRefused(last)) return finals
  const isCut = last.metadata?.finishReason === 'length'
  const reading = readAnswer(textIn(last), check, isCut)
  const at = finals.indexOf(last)
  if ('json' in reading) return finals.with(at, accepted(last, reading.json, context))
  const message = isCut ? CUT : faultMessage(reading.faults, isRepair)
  const isRun = context.runId !== undefined
  if (isRun && (isCut || isRepair)) throw outputError(message)
  // Outside of a run, the host turns this into an error that carries the answer.
  const retry = { code: CODE, message: isRun ? `${message}\n${AGAIN}` : message }
  return finals.with(at, withMetadata(last, { retry }))
}

function accepted(message: Message, json: FoundJson, { emit }: Context): Message {
  const metadata = { structuredOutput: json.value }
  // For readers of the event stream. The final contains it too.
  emit({ type: 'metadata', metadata })
  return withMetadata(withText(message, json), metadata)
}

/** Whether the run continues with another step anyway. */
function isUnfinished({ role, parts, metadata }: Message): boolean {
  const isCalling = parts.some((part) => part.type === 'tool-call' && !part.providerExecuted)
  return role === 'assistant' && (isCalling || metadata?.retry !== undefined)
}

function isRefused({ metadata }: Message): boolean {
  return metadata?.finishReason === 'content-filter' || metadata?.finishReason === 'error'
}

function textIn({ parts }: Message): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** Makes the JSON the only text of the message: other text parts, and words around the JSON, are removed. */
function withText(message: Message, { text }: FoundJson): Message {
  if (textIn(message) === text) return message
  const last = message.parts.findLast((part) => part.type === 'text')
  const parts = message.parts
    .filter((part) => part.type !== 'text' || part === last)
    .map((part) => (part.type === 'text' ? { ...part, text } : part))
  return { ...message, parts }
}

function withMetadata(message: Message, more: MessageMetadata): Message {
  return { ...message, metadata: { ...message.metadata, ...more } }
}
