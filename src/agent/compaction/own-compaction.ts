import { isObject, type Message, type RunEventBody } from '@braidwork/plugin'
import { previewOf } from './shortened.ts'

/**
 * The tag of a provider whose API compacts conversations by itself with the present config. An answer then has a data
 * part with an object of the type `compaction`, which the provider sends back: it stands for all before it. The runtime
 * compacts nothing by itself where a provider has it.
 */
export const OWN_COMPACTION = 'own-compaction'

/** The events that tell what the model API compacted before it gave an answer. LR-07 */
export function ownCompactionEvents(
  messages: readonly Message[],
  { runId, newId }: { readonly runId: string; readonly newId: () => string },
): readonly RunEventBody[] {
  return previewsIn(messages).flatMap((preview): readonly RunEventBody[] => {
    const compactionId = newId()
    return [
      { type: 'compaction-start', compactionId, trigger: 'provider' },
      { type: 'compaction-end', compactionId, done: { preview, runIds: [runId] } },
    ]
  })
}

/** The beginning of each summary. It is empty where the API has encrypted it. */
function previewsIn(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      if (part.type !== 'data' || !isObject(part.data)) return []
      const { type, content } = part.data
      if (type !== 'compaction') return []
      return [typeof content === 'string' ? previewOf(content) : '']
    }),
  )
}
