import type { Context, Message, MessageMetadata } from '@braidwork/plugin'
import type { Check } from './compile-schema.ts'
import type { FoundJson } from './find-json.ts'
import { AGAIN, CODE, CUT, faultMessage, outputError } from './output-error.ts'
import { readAnswer } from './read-answer.ts'

/** What is known of the answer that is checked. */
export interface Asked {
  readonly check: Check
  /** It was asked for again, by this feature. */
  readonly isRepair: boolean
}

/**
 * Finals with the value of the answer, or with what is wrong with it as a request for one more step. What is
 * no answer stays as it is: calls that are to be run, a refusal, a step that another plugin has repeated.
 * @throws OUTPUT_INVALID, where a run is not to go on; TIMEOUT
 */
export function checkFinals(
  finals: readonly Message[],
  { check, isRepair }: Asked,
  context: Context,
): readonly Message[] {
  const last = finals.findLast(({ role }) => role === 'assistant')
  if (!last) throw outputError(faultMessage(['there is none'], isRepair))
  if (finals.some(isUnfinished) || isRefused(last)) return finals
  const isCut = last.metadata?.finishReason === 'length'
  const reading = readAnswer(textIn(last), check, isCut)
  const at = finals.indexOf(last)
  if ('json' in reading) return finals.with(at, accepted(last, reading.json, context))
  const message = isCut ? CUT : faultMessage(reading.faults, isRepair)
  const isRun = context.runId !== undefined
  if (isRun && (isCut || isRepair)) throw outputError(message)
  // Outside of a run the host makes it an error, with the answer beside it.
  const retry = { code: CODE, message: isRun ? `${message}\n${AGAIN}` : message }
  return finals.with(at, withMetadata(last, { retry }))
}

function accepted(message: Message, json: FoundJson, { emit }: Context): Message {
  const metadata = { structuredOutput: json.value }
  // For those who read events; the final has it in any case.
  emit({ type: 'metadata', metadata })
  return withMetadata(withText(message, json), metadata)
}

/** Whether another step comes anyhow. */
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

/** The last text is the JSON alone; those before it, words around it, go. */
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
