import type { CallOutcome } from '@braidwork/core/internal'
import { isObject } from '@braidwork/plugin'
import type { AgentCall, Delegate } from './child.ts'
import { type DelegateTool, safetyOf } from './delegate-tool.ts'

/** The name of the tool by which an agent gives parts of its work to subagents. */
export const SPAWN = 'agent_spawn'

const MOST_TASKS = 100

const TASK = {
  type: 'object',
  properties: {
    prompt: {
      type: 'string',
      description: 'The whole task. The subagent sees nothing else of this conversation.',
    },
    tools: {
      type: 'array',
      items: { type: 'string' },
      description: 'The names of the only tools that it may use. By default all of yours.',
    },
  },
  required: ['prompt'],
  additionalProperties: false,
}

/** The tool by which an agent gives parts of its work to subagents: runs with its own spec. AL-22 */
export function spawnTool(subagent: Pick<Delegate, 'left'>): DelegateTool {
  return {
    name: SPAWN,
    description:
      'Gives parts of the work to subagents, which work at the same time, and returns what each of them says, in the order of the tasks. A subagent has your instructions and tools.',
    input_schema: {
      type: 'object',
      properties: { tasks: { type: 'array', minItems: 1, maxItems: MOST_TASKS, items: TASK } },
      required: ['tasks'],
      additionalProperties: false,
    },
    safety: safetyOf(subagent),
    source: 'the subagents of the agent',
    runtime_owner: 'subagent',
  }
}

/** The tasks of a call as calls of their own. Nobody is asked for a subagent. AL-23 */
export function tasksIn({ callId, input }: AgentCall): readonly AgentCall[] {
  const tasks = isObject(input) && Array.isArray(input['tasks']) ? input['tasks'] : []
  return tasks.map((input: unknown, task) => ({ callId, input, canAsk: false, task }))
}

/** The results of the tasks, in their order: what a subagent said, or what became of it. AL-20 */
export function collected(outcomes: readonly CallOutcome[]): CallOutcome {
  const output = outcomes.map(({ state, output: one }) =>
    state === 'succeeded' ? { status: 'done', text: one } : told(one),
  )
  return { state: 'succeeded', output }
}

/** What became of a task that has no answer. A text alone would look like one. */
function told(output: unknown): unknown {
  return typeof output === 'string' ? { status: 'failed', message: output } : output
}
