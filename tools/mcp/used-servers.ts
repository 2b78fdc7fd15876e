import type { ActionContext, ModelInfo } from '@braidwork/plugin'
import type { McpState } from './settings.ts'

/**
 * The settings of the tool by the opened config that they are part of. Other plugins must not see the secrets in them, so
 * they find the servers only here. All contexts of an opened config have the same object of facts about its model, and
 * those of others have another one.
 */
const states = new WeakMap<ModelInfo, McpState>()

export function noteState({ modelInfo }: Pick<ActionContext, 'modelInfo'>, state: McpState): void {
  states.set(modelInfo, state)
}

/** The settings of the tool in the opened config of a context. Undefined if the tool is off there, or uses no server. */
export function stateIn({ modelInfo }: Pick<ActionContext, 'modelInfo'>): McpState | undefined {
  return states.get(modelInfo)
}
