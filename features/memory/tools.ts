import type { ToolSchema } from '@braidwork/plugin'
import { ACTIONS } from './actions.ts'
import { FIELDS } from './input.ts'

/** A caller's tool, in the form that `send`, `stream` and `run` accept. */
export interface MemoryTool extends ToolSchema {
  readonly execute: (input: unknown) => Promise<unknown>
}

/** The actions offered to the model. Only people pin facts. */
const OFFERED = [
  ['remember_fact', 'remember', 'Keeps a fact for the rest of this conversation.'],
  ['edit_fact', 'edit', 'Changes the text of a fact that is kept.'],
  ['forget_fact', 'forget', 'Forgets a fact that is kept.'],
  ['find_facts', 'find', 'Finds facts that are kept, also those that are not shown.'],
] as const

/**
 * Tools with which the model stores, edits, forgets and finds facts. `act` runs an action for the conversation:
 * `(id, input) => host.runAction('memory', id, input, config, { conversationId })`.
 */
export function memoryTools(
  act: (action: string, input: unknown) => Promise<unknown>,
): readonly MemoryTool[] {
  return OFFERED.map(([name, action, description]) => {
    const { needs, takes } = ACTIONS[action]
    const fields = [...needs, ...takes].filter((field) => field !== 'pinned')
    return {
      name,
      description,
      input_schema: {
        type: 'object',
        properties: Object.fromEntries(fields.map((field) => [field, FIELDS[field]])),
        required: fields,
        additionalProperties: false,
      },
      safety: {
        is_read_only: action === 'find',
        is_concurrency_safe: action === 'find',
        is_destructive: action === 'forget',
      },
      execute: (input) => act(action, input),
    }
  })
}
