import { hostCalls, type OpenedConfig } from '@braidwork/core/internal'
import type { Message, ToolCallPart, ToolChoice } from '@braidwork/plugin'

/**
 * Whether calls fulfil a `tool_choice` that forces one, so that the model is free afterwards. Where the caller brings
 * tools, `required` is about these: a call of another tool does not use it up. A named tool must be called itself.
 */
export function isFulfilled(
  choice: ToolChoice,
  called: readonly { readonly name: string }[],
  opened: Pick<OpenedConfig, 'tools' | 'toolNamed'>,
): boolean {
  if (typeof choice === 'object') return called.some(({ name }) => name === choice.tool)
  const isOfCaller = (tool: OpenedConfig['tools'][number] | undefined) =>
    tool && !tool.plugin && !tool.unavailable
  if (!opened.tools.some(isOfCaller)) return called.length > 0
  return called.some(({ name }) => isOfCaller(opened.toolNamed(name)))
}

/** The calls in a history that may have fulfilled the choice: those since the user last said something. */
export function callsSinceUser(messages: readonly Message[]): readonly ToolCallPart[] {
  return hostCalls(messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1))
}
