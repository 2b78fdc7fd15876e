import type { CallerTool } from '@braidwork/core'
import type { ToolSafety, ToolSchema } from '@braidwork/plugin'
import type { Delegate } from './child.ts'

const PREFIX = 'agent_run_'

/** A tool whose calls are child runs. */
export type DelegateTool = CallerTool & Pick<ToolSchema, 'runtime_owner'>

/** The name of the tool by which an agent is asked. */
export function delegateToolName(id: string): string {
  return `${PREFIX}${id}`
}

/**
 * What calls of agents promise: they may run together, and a cancelled one leaves nothing running. Where child runs are
 * stored, a call that runs again finds those that it had begun.
 */
export function safetyOf({ left }: Pick<Delegate, 'left'>): ToolSafety {
  const safety = { is_concurrency_safe: true, interrupt_behavior: 'cancel' } as const
  return left ? { ...safety, is_idempotent: true } : safety
}

/** The tool by which an agent is asked. AW-10 */
export function delegateTool({
  id,
  description,
  ...stored
}: Pick<Delegate, 'id' | 'description' | 'left'>): DelegateTool {
  const about = description === undefined ? '' : ` ${description}`
  return {
    name: delegateToolName(id),
    description: `Asks the agent "${id}" to do a part of the work, and returns its answer.${about}`,
    input_schema: {
      type: 'object',
      properties: {
        prompt: {
          type: 'string',
          description: 'The whole task. The agent sees nothing else of this conversation.',
        },
      },
      required: ['prompt'],
      additionalProperties: false,
    },
    safety: safetyOf(stored),
    source: `the delegates of the agent`,
    runtime_owner: 'subagent',
  }
}
