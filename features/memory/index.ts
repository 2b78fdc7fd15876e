import type { Context, Feature, Message } from '@braidwork/plugin'
import { act } from './actions.ts'
import { blockOf, choose, withBlock } from './block.ts'
import { type Facts, readFacts } from './facts.ts'
import { CONFIG_SCHEMA, readSettings } from './settings.ts'
import { inTurn } from './turns.ts'

export type { Fact } from './facts.ts'
export { type MemoryTool, memoryTools } from './tools.ts'

const FACTS = 'facts'
/** Only this many characters of the question are used to find facts. */
const MOST_QUESTION = 10_000
const NONE: Facts = { facts: [], damaged: 0 }

/** Reads the facts at the beginning of the request. */
async function recall({ conversationId, storage, warn, report }: Context): Promise<Facts> {
  if (!conversationId) {
    const reason = 'the request has no conversation'
    report({ kind: 'memory', ref: 'facts of the conversation', status: 'missing', reason })
    warn(
      'no facts are shown: each conversation has its own facts, and the request has no "conversationId"',
    )
    return NONE
  }
  const read = await inTurn(conversationId, () => readFacts(storage))
  const { damaged } = read
  if (damaged > 0) {
    const reason = `entries that are not valid facts: ${damaged}`
    report({ kind: 'memory', ref: 'facts of the conversation', status: 'missing', reason })
    warn(
      `storage entries that are not valid facts: ${damaged}; the action "clear" deletes all entries`,
    )
  }
  return read
}

function showFacts(messages: readonly Message[], { local, config, warn, report }: Context) {
  const { facts } = (local.get(FACTS) ?? NONE) as Facts
  const shown = choose(facts, questionIn(messages), readSettings(config).max_characters)
  for (const { id } of shown) report({ kind: 'memory', ref: id })
  for (const fact of facts) {
    if (shown.includes(fact)) continue
    const reason = 'it does not fit into "settings.memory.max_characters"'
    report({ kind: 'memory', ref: fact.id, status: 'left_out', reason })
  }
  const left = facts.filter((fact) => fact.pinned && !shown.includes(fact)).length
  if (left > 0)
    warn(`pinned facts that are not shown: ${left}; raise "settings.memory.max_characters"`)
  return withBlock(messages, shown.length === 0 ? undefined : blockOf(shown, facts.length))
}

/** The text of the last user message. */
function questionIn(messages: readonly Message[]): string {
  const parts = messages.findLast(({ role }) => role === 'user')?.parts ?? []
  const texts = parts.map((part) => (part.type === 'text' ? part.text : ''))
  return texts.join(' ').slice(0, MOST_QUESTION)
}

export default {
  kind: 'feature',
  name: 'memory',
  // Off by default, since it uses storage and changes the messages.
  defaultEnabled: false,
  configSchema: CONFIG_SCHEMA,

  async init(_config, state, context) {
    context.local.set(FACTS, await recall(context))
    return state
  },

  editMessages: (messages, _state, context) => showFacts(messages, context),

  runAction: act,
} satisfies Feature
