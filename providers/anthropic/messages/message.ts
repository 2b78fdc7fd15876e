import { defined, objectsIn, ownFacts, type Profile, textIn } from '@braidwork/model-api/exchange'
import { type FinishReason, isObject, type JsonObject, type Message } from '@braidwork/plugin'
import { idOf, isCall, noteCall, partsOf } from './blocks.ts'
import { WITHOUT_THINKING } from './refused-thinking.ts'
import { usageOf } from './usage.ts'

const FINISH_REASONS: ReadonlyMap<unknown, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content-filter'],
])

/** The reasons after which the API continues when it is sent the same messages and this answer. */
const PAUSES = new Set<unknown>(['pause_turn', 'compaction'])

/** The request that an answer is to. */
export interface Around {
  readonly profile: Profile
  /** Whether the API got it without the thinking of earlier answers, which it had refused. */
  readonly isRepaired: boolean
}

/** Converts an answer to the core message. */
export function coreMessage(answer: JsonObject, around: Around): Message {
  const taken = new Set<string>()
  // A result block gets its tool name from a call before it.
  const names = new Map<string, string>()
  const parts = objectsIn(answer['content']).flatMap((given, index) => {
    const id = idOf(given, index, taken)
    const block = isCall(given) ? { ...given, id } : given
    const own = partsOf(block, names, around.profile)
    noteCall(names, block)
    return own
  })
  return { role: 'assistant', parts, metadata: metadataOf(answer, around) }
}

/** A whole answer as a start event that already contains everything. */
export function asStart(answer: JsonObject): JsonObject {
  return { type: 'message_start', message: answer }
}

/** The metadata of the message. Fields that only this API has are under `anthropic`. */
export function metadataOf(
  answer: JsonObject,
  { profile, isRepaired }: Around,
): NonNullable<Message['metadata']> {
  const own = { ...ownMetadata(answer), ...(isRepaired ? { [WITHOUT_THINKING]: true } : {}) }
  return defined({
    finishReason: FINISH_REASONS.get(answer['stop_reason']) ?? 'other',
    usage: usageOf(answer['usage']),
    responseId: textIn(answer['id']),
    model: textIn(answer['model']),
    paused: PAUSES.has(answer['stop_reason']) || undefined,
    ...(Object.keys(own).length > 0 ? ownFacts(own, profile) : {}),
  })
}

function ownMetadata(answer: JsonObject): JsonObject {
  const { stop_reason, stop_sequence, stop_details, container, context_management } = answer
  const edits = isObject(context_management) ? objectsIn(context_management['applied_edits']) : []
  return defined({
    stopReason: PAUSES.has(stop_reason) ? stop_reason : undefined,
    stopSequence: textIn(stop_sequence),
    stopDetails: isObject(stop_details) ? stop_details : undefined,
    container: isObject(container) ? container : undefined,
    appliedEdits: edits.length > 0 ? edits : undefined,
  })
}
