import { foreignText, objectsIn, without } from '@braidwork/model-api/exchange'
import { isObject, type JsonObject } from '@braidwork/plugin'
import { ANTHROPIC } from '../profile.ts'
import { type CallNames, callNamesOf, isCall, isHostRun, partsOf } from './blocks.ts'

export type Turn = {
  readonly role: 'user' | 'assistant'
  readonly content: readonly JsonObject[]
}

/**
 * Repairs calls that the API executed, since the API refuses a conversation in which such a call or its result is
 * missing. The remaining half becomes text. A reference to a missing code execution is removed from a call, and
 * tools that are no longer offered are removed from tool search results.
 */
export function paired(turns: readonly Turn[], offered: readonly JsonObject[]): readonly Turn[] {
  const blocks = turns.flatMap(({ content }) => content)
  const names = callNamesOf(blocks)
  const answered = new Set(blocks.filter(isOwnResult).map((block) => block['tool_use_id']))
  const tools = namesOf(offered)
  const begun = new Set<unknown>()
  return turns.map((turn, index) => {
    if (turn.role === 'user') return turn
    const goesOn = mayGoOn(turns[index + 1])
    const content = turn.content.map((block) => {
      const isKept = isOwnResult(block)
        ? begun.has(block['tool_use_id'])
        : !isOwnCall(block) || goesOn || answered.has(block['id'])
      if (!isKept) return told(block, names)
      if (isOwnCall(block)) begun.add(block['id'])
      return withKnownTools(withKnownCaller(block, begun), tools)
    })
    return { ...turn, content }
  })
}

function isOwnCall(block: JsonObject): boolean {
  return isCall(block) && !isHostRun(block)
}

function isOwnResult({ type, tool_use_id: id }: JsonObject): boolean {
  return id !== undefined && type !== 'tool_result'
}

/** Whether the API may still complete a turn: it is the last one, or was waiting for the host's tool results. */
function mayGoOn(next: Turn | undefined): boolean {
  return next === undefined || next.content.some(({ type }) => type === 'tool_result')
}

function told(block: JsonObject, names: CallNames): JsonObject {
  const [part] = partsOf(block, names, ANTHROPIC)
  return { type: 'text', text: (part && foreignText(part)) ?? '' }
}

function withKnownCaller(block: JsonObject, begun: ReadonlySet<unknown>): JsonObject {
  const { caller } = block
  const id = isObject(caller) ? caller['tool_id'] : undefined
  return id === undefined || begun.has(id) ? block : without(block, 'caller')
}

/** The names of all offered tools; `undefined` if there are none, or if a toolset adds names that are not listed. */
function namesOf(offered: readonly JsonObject[]): ReadonlySet<unknown> | undefined {
  const names = offered.map(({ name }) => name)
  return names.length === 0 || names.includes(undefined) ? undefined : new Set(names)
}

function withKnownTools(block: JsonObject, tools: ReadonlySet<unknown> | undefined): JsonObject {
  const { type, content } = block
  if (!tools || type !== 'tool_search_tool_result' || !isObject(content)) return block
  const found = objectsIn(content['tool_references'])
  const known = found.filter(({ tool_name: name }) => tools.has(name))
  if (known.length === found.length) return block
  return { ...block, content: { ...content, tool_references: known } }
}
