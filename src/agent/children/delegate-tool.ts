import type { CallerTool } from '@braidwork/core'
import type { ToolSchema } from '@braidwork/plugin'
import type { Delegate } from './child.ts'

const PREFIX = 'agent_run_'

/** A tool whose calls are child runs. */
export type DelegateTool = CallerTool & Pick<ToolSchema, 'runtime_owner'>

/** The name of the tool by which an agent is asked. */
export function delegateToolName(id: string): string {
  return `${PREFIX}${id}`
}

/** The tool by which an agent is asked. Its calls may run together, and a cancelled one leaves nothing running. AW-10 */
export function delegateTool({
  id,
  description,
}: Pick<Delegate, 'id' | 'description'>): DelegateTool {
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
    safety: { is_concurrency_safe: true, interrupt_behavior: 'cancel' },
    source: `the delegates of the agent`,
    runtime_owner: 'subagent',
  }
}
