import { objectsIn, ownFactsIn, type Profile, type Repair } from '@braidwork/model-api/exchange'
import { isObject, type JsonObject, type Message } from '@braidwork/plugin'
import { beginsWithThinking, isThinkingBlock } from './blocks.ts'

/** Marks an answer in its metadata that the API gave without the thinking of earlier answers. */
export const WITHOUT_THINKING = 'withoutEarlierThinking'

/**
 * The errors by which the API refuses thinking of earlier answers. Newer models bind it to everything before it, so it is
 * refused after any change of the instructions, the tools or the conversation
 * (https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks).
 */
const REFUSALS = [
  /Invalid `?(?:signature|data)`? in `?(?:redacted_)?thinking`? block/i,
  /`?thinking`? or `?redacted_thinking`? blocks in the latest assistant message cannot be modified/i,
]

/**
 * The same body without any thinking, if the API refused a part of it. Thinking that is left between others would be
 * refused too. The API offers to drop it by itself, but only with a beta feature that not every server has.
 */
export function withoutRefusedThinking(body: JsonObject, refusal: unknown): Repair | undefined {
  const messages = objectsIn(body['messages'])
  if (!isRefusal(refusal) || !messages.some(hasThinking)) return undefined
  const kept = messages.filter((turn) => !hasThinking(turn) || withoutThinking(turn).length > 0)
  const left = kept.map((turn) =>
    hasThinking(turn) ? { ...turn, content: withoutThinking(turn) } : turn,
  )
  const { thinking } = body
  const isManual = isObject(thinking) && thinking['type'] === 'enabled'
  const quiet = isManual && !beginsWithThinking(left) ? { thinking: { type: 'disabled' } } : {}
  return { body: { ...body, messages: left, ...quiet }, warning: WARNING }
}

const WARNING =
  'Anthropic refused the thinking of earlier answers, because something before it has changed: it is left out.'

function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('status' in error) || error.status !== 400) return false
  return REFUSALS.some((refusal) => refusal.test(error.message))
}

function hasThinking({ content }: JsonObject): boolean {
  return objectsIn(content).some(isThinkingBlock)
}

function withoutThinking({ content }: JsonObject): readonly JsonObject[] {
  return objectsIn(content).filter((block) => !isThinkingBlock(block))
}

/**
 * Leaves out the thinking that the API refused once: all before the last answer that it gave without. The thinking of that
 * answer and of later ones fits to the conversation as it was sent then.
 */
export function withoutEarlierThinking(
  messages: readonly Message[],
  profile: Profile,
): readonly Message[] {
  const last = messages.findLastIndex(
    ({ metadata }) => ownFactsIn(metadata, profile)?.[WITHOUT_THINKING] === true,
  )
  return messages.map((message, index) => {
    if (index >= last || message.role !== 'assistant') return message
    return { ...message, parts: message.parts.filter(({ type }) => type !== 'reasoning') }
  })
}
