import type { ActionContext, PluginStorage } from '@braidwork/plugin'
import {
  deleteFact,
  deleteFacts,
  type Fact,
  type Facts,
  idFor,
  readFacts,
  type StoredFact,
  writeFact,
} from './facts.ts'
import { type Field, type Input, invalid, readInput } from './input.ts'
import { problem } from './problem.ts'
import { rank } from './rank.ts'
import { readSettings } from './settings.ts'
import { inTurn } from './turns.ts'

/** The memory of a conversation. Its facts do not change while an action runs. */
interface Memory extends Facts {
  readonly storage: PluginStorage
  readonly max_facts: number
}

export interface Action {
  readonly needs: readonly Field[]
  readonly takes: readonly Field[]
  readonly run: (input: Input, memory: Memory) => Promise<unknown>
}

function action<Needs extends Field = never, Takes extends Field = never>(
  needs: readonly Needs[],
  takes: readonly Takes[],
  run: (input: Input<Needs, Takes>, memory: Memory) => Promise<unknown>,
): Action {
  return { needs, takes, run }
}

/** All actions, by id. */
export const ACTIONS = {
  remember: action(['text'], ['pinned'], remember),
  edit: action(['id'], ['text', 'pinned'], edit),
  forget: action(['id'], [], forget),
  find: action(['query'], [], async ({ query }, { facts }) => rank(facts, query).map(toFact)),
  list: action([], [], async (_, { facts }) => facts.map(toFact)),
  clear: action([], [], clear),
} as const satisfies { readonly [id: string]: Action }

/**
 * Runs an action. @throws ACTION_UNKNOWN, CONVERSATION_MISSING, SETTINGS_INVALID, INPUT_INVALID, and the action's
 * errors
 */
export async function act(id: string, given: unknown, context: ActionContext): Promise<unknown> {
  const { conversationId, storage, signal } = context
  const { needs, takes, run } = actionOf(id)
  if (!conversationId) {
    const message = `Each conversation has its own memory: pass a "conversationId" to "${id}".`
    throw problem('CONVERSATION_MISSING', message)
  }
  const { max_facts } = readSettings(context.config)
  const input = readInput(given, needs, takes) as Input
  return inTurn(conversationId, async () => {
    // The signal may have aborted while the action waited for its turn.
    signal.throwIfAborted()
    return run(input, { ...(await readFacts(storage)), storage, max_facts })
  })
}

function actionOf(id: string): Action {
  if (Object.hasOwn(ACTIONS, id)) return ACTIONS[id as keyof typeof ACTIONS]
  const message = `Feature "memory" has no action "${String(id).slice(0, 100)}". Its actions are ${Object.keys(ACTIONS).join(', ')}.`
  throw problem('ACTION_UNKNOWN', message)
}

/** Stores a fact. If a fact with this text exists, no second one is stored. */
async function remember(
  { text, pinned }: Input<'text', 'pinned'>,
  { storage, facts, damaged, max_facts }: Memory,
): Promise<Fact> {
  const known = facts.find((fact) => fact.text === text)
  if (known) return writeFact(storage, { ...known, pinned: pinned ?? known.pinned })
  if (facts.length + damaged >= max_facts) throw full(max_facts)
  const order = (facts.at(-1)?.order ?? 0) + 1
  return writeFact(storage, { id: idFor(text, facts), text, pinned: pinned ?? false, order })
}

/** Changes a fact. It keeps its id and its position. */
async function edit(
  { id, ...change }: Input<'id', 'text' | 'pinned'>,
  { storage, facts }: Memory,
): Promise<Fact> {
  const fact = factOf(id, facts)
  if (Object.keys(change).length === 0) throw invalid('', 'pass "text", "pinned" or both')
  const other = facts.find(({ text }) => text === change.text)
  if (other && other !== fact) {
    const message = `Fact "${other.id}" already has this text; forget one of the two.`
    throw problem('FACT_EXISTS', message, '/text')
  }
  return writeFact(storage, { ...fact, ...change })
}

async function forget({ id }: Input<'id', never>, { storage, facts }: Memory): Promise<Fact> {
  const fact = factOf(id, facts)
  await deleteFact(storage, id)
  return toFact(fact)
}

async function clear(_: unknown, { storage, facts }: Memory): Promise<{ forgotten: number }> {
  await deleteFacts(storage)
  return { forgotten: facts.length }
}

function factOf(id: string, facts: readonly StoredFact[]): StoredFact {
  const fact = facts.find((known) => known.id === id)
  if (fact) return fact
  const message = `This conversation has no fact "${id.slice(0, 100)}" (any more). The action "list" lists all facts.`
  throw problem('FACT_UNKNOWN', message, '/id')
}

function toFact({ id, text, pinned }: StoredFact): Fact {
  return { id, text, pinned }
}

function full(max: number): Error {
  const message = `The memory of this conversation is full: forget a fact, or raise "settings.memory.max_facts" (${max}).`
  return problem('MEMORY_FULL', message)
}
