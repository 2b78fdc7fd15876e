import type { Profile } from '@braidwork/model-api'
import { usageOf } from '@braidwork/model-api/chat'
import { defined, objectsIn, ownFacts, textIn } from '@braidwork/model-api/exchange'
import {
  type FinishReason,
  isObject,
  type JsonObject,
  type Message,
  type Part,
} from '@braidwork/plugin'
import { partsOf } from './items.ts'

/** Converts a response to the core message. */
export function responseMessage(response: JsonObject, profile: Profile): Message {
  const around = { profile, tools: response['tools'], taken: new Set<string>() }
  const parts = objectsIn(response['output']).flatMap((item) => partsOf(item, around))
  return { role: 'assistant', parts, metadata: metadataOf(response, parts, profile) }
}

/** The metadata of the message. */
function metadataOf(
  response: JsonObject,
  parts: readonly Part[],
  profile: Profile,
): NonNullable<Message['metadata']> {
  const stopSequence = textIn(response['stop_sequence'])
  return defined({
    finishReason: finishReasonOf(response, parts),
    usage: usageOf(response['usage']),
    responseId: textIn(response['id']),
    model: textIn(response['model']),
    // The provider sets it where it ended the answer itself.
    ...(stopSequence === undefined ? {} : ownFacts({ stopSequence }, profile)),
  })
}

const INCOMPLETE: ReadonlyMap<unknown, FinishReason> = new Map([
  ['max_output_tokens', 'length'],
  ['max_tokens', 'length'],
  ['content_filter', 'content-filter'],
])

function finishReasonOf(response: JsonObject, parts: readonly Part[]): FinishReason {
  const details = response['incomplete_details']
  const reason = isObject(details) ? details['reason'] : undefined
  const known = INCOMPLETE.get(reason)
  if (known) return known
  if (parts.some((part) => part.type === 'tool-call' && !part.providerExecuted)) return 'tool-calls'
  if (reason) return 'other'
  const status = response['status'] ?? 'completed'
  if (status !== 'completed') return 'other'
  return refuses(response) ? 'content-filter' : 'stop'
}

function refuses(response: JsonObject): boolean {
  return objectsIn(response['output']).some((item) =>
    objectsIn(item['content']).some((content) => content['type'] === 'refusal'),
  )
}
