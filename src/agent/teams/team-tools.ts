import type { DelegateTool } from '../children/index.ts'
import { type Member, othersThan, type Team } from './team.ts'

type ToolKind = 'run' | 'broadcast' | 'multicast' | 'dispatch' | 'read' | 'write'

/** The name of a tool of a team. @param team the id of the agent that has the team */
function teamToolName(kind: ToolKind, team: string): string {
  return `team_${kind}_${team}`
}

/** The names of the tools that a member can have: those of the leader too, since any may come to lead. */
export function memberToolNames(team: string): readonly string[] {
  const kinds = ['broadcast', 'multicast', 'dispatch', 'read', 'write'] as const
  return kinds.map((kind) => teamToolName(kind, team))
}

const PROMPT = {
  type: 'string',
  description: 'The whole task. A member sees nothing else of this conversation.',
} as const

const FAIL_FAST = {
  type: 'boolean',
  description:
    'Asks one member after the other, and stops at the first error. The default is false.',
} as const

const KEY = { type: 'string', maxLength: 200 } as const

const VERSION = {
  type: 'integer',
  minimum: 0,
  description: 'The version that you have read: 0 for a key without a value.',
} as const

/** The tool by which the agent that has a team gives it a task. */
export function leadTool(team: Team): DelegateTool {
  return toolOf(team, 'run', {
    description: `Gives a task to the team "${team.id}". Its leader works on it with the other members, and answers.`,
    properties: {
      prompt: { ...PROMPT, description: 'The whole task. The team sees nothing else.' },
    },
    required: ['prompt'],
  })
}

/** The tool by which a leader asks all others. AL-13 */
export function broadcastTool(team: Team, leader: string): DelegateTool {
  const others = othersThan(leader, team).map(aboutMember)
  return toolOf(team, 'broadcast', {
    description: `Gives a task to every member of the team "${team.id}", and returns what became of it with each of them, in order. The members are: ${others.join('; ')}.`,
    properties: { prompt: PROMPT, fail_fast: FAIL_FAST },
    required: ['prompt'],
  })
}

/** The tool by which a leader asks some others. AL-14 */
export function multicastTool(team: Team, leader: string): DelegateTool {
  const named = { type: 'string', enum: othersThan(leader, team).map(({ id }) => id) }
  return toolOf(team, 'multicast', {
    description: `Gives a task to some members of the team "${team.id}", and returns what became of it with each of them, in order.`,
    properties: {
      to: { type: 'array', items: named, minItems: 1, uniqueItems: true },
      prompt: PROMPT,
      fail_fast: FAIL_FAST,
    },
    required: ['to', 'prompt'],
  })
}

/** The tool by which a leader asks the member that fits. AL-19 */
export function dispatchTool(team: Team): DelegateTool {
  return toolOf(team, 'dispatch', {
    description: `Gives a task to the member of the team "${team.id}" that fits: the one with the id, else one of the type, else one that says it can do it.`,
    properties: {
      prompt: PROMPT,
      agent: { type: 'string', description: 'The id of a member.' },
      type: { type: 'string', description: 'The type of a member.' },
      capability: { type: 'string', description: 'What the member has to be able to do.' },
    },
    required: ['prompt'],
  })
}

/** The tool by which a member reads what its team shares. AL-25 */
export function readTool(team: Team): DelegateTool {
  const tool = toolOf(team, 'read', {
    description: `Reads what the members of the team "${team.id}" share: the value of a key with its version, or all of them.`,
    properties: { key: { ...KEY, description: 'By default all keys are read.' } },
    required: [],
  })
  return { ...tool, safety: { ...tool.safety, is_read_only: true } }
}

/** The tool by which a member writes what its team shares. AL-25 */
export function writeTool(team: Team): DelegateTool {
  return toolOf(team, 'write', {
    description: `Writes a text that the members of the team "${team.id}" share. A write fails if another member has written the key since you read it.`,
    properties: { key: KEY, value: { type: 'string' }, version: VERSION },
    required: ['key', 'value', 'version'],
  })
}

interface Told {
  readonly description: string
  readonly properties: { readonly [name: string]: object }
  readonly required: readonly string[]
}

/** The tools whose calls depend on those before them in the same answer. */
const IN_ORDER: ReadonlySet<ToolKind> = new Set(['broadcast', 'multicast', 'write'])

/** A tool of a team. A cancelled call leaves nothing running. */
function toolOf(
  { id }: Team,
  kind: ToolKind,
  { description, properties, required }: Told,
): DelegateTool {
  return {
    name: teamToolName(kind, id),
    description,
    input_schema: { type: 'object', properties, required, additionalProperties: false },
    safety: { is_concurrency_safe: !IN_ORDER.has(kind), interrupt_behavior: 'cancel' },
    source: `the team "${id}"`,
    runtime_owner: 'subagent',
  }
}

function aboutMember({ id, description, type, capabilities = [] }: Member): string {
  const facts = [
    ...(description === undefined ? [] : [description]),
    ...(type === undefined ? [] : [`Its type is "${type}".`]),
    ...(capabilities.length > 0 ? [`It can do: ${capabilities.join(', ')}.`] : []),
  ]
  return facts.length > 0 ? `${id} (${facts.join(' ')})` : id
}
