import {
  didYouMean,
  hostCalls,
  isOffered,
  type OfferedTool,
  type OpenedConfig,
} from '@braidwork/core/internal'
import { HostError, type Message, type ToolCallPart, type ToolChoice } from '@braidwork/plugin'

/**
 * Checks that the model is offered the tool which the config names in `tool_choice`. Model APIs refuse another name, or
 * ignore it.
 * @throws {HostError} REQUEST_INVALID
 */
export function assertChosenTool(
  opened: Pick<OpenedConfig, 'resolved' | 'tools' | 'toolNamed'>,
): void {
  const { tool_choice: choice } = opened.resolved.config
  if (typeof choice !== 'object') return
  const tool = opened.toolNamed(choice.tool)
  if (tool && isOffered(tool)) return
  const names = opened.tools.map(({ name }) => name)
  const why = tool ? `: ${reasonAgainst(tool)}.` : `.${didYouMean(choice.tool, names)}`
  const message = `"tool_choice" names the tool "${choice.tool}", which the model is not offered${why}`
  throw new HostError('REQUEST_INVALID', message, { pointer: '/tool_choice' })
}

/** Why the model is not offered a tool of the config. */
function reasonAgainst({ policy, withheld }: OfferedTool): string {
  if (policy.decision === 'deny' || withheld === undefined) return 'the tool policy denies it'
  return withheld
}

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
