import { checkPairs, type Message, type Part } from '@braidwork/plugin'
import type { Resolved } from '../resolve/index.ts'
import { isNativeOutput } from '../results/index.ts'

/** A provider with this tag completes open calls and misplaced results itself. */
const REPAIRS = 'history-repair'

/**
 * The history as a request has it. An output with forms for other providers alone is its plain form. CL-46
 * Tool calls and results must come in pairs, unless a plugin has the tag that says it repairs histories.
 * @throws {HostError} MESSAGES_INVALID
 */
export function historyFor(
  messages: readonly Message[],
  { tags, plugins }: Resolved,
): readonly Message[] {
  if (!tags.has(REPAIRS)) checkPairs(messages)
  const { name } = plugins.provider
  return messages.some(hasForeignOutput(name)) ? messages.map(withPlainOutputs(name)) : messages
}

const hasForeignOutput = (provider: string) => (message: Message) =>
  message.role === 'tool' && message.parts.some((part) => isForeign(part, provider))

function isForeign(part: Part, provider: string): boolean {
  if (part.type !== 'tool-result' || !isNativeOutput(part.output)) return false
  // With other members, it is the tool's own object, which happens to have this one.
  const isWhole = Object.keys(part.output).every((key) => key === 'native' || key === 'output')
  return isWhole && part.output.native[provider] === undefined
}

const withPlainOutputs = (provider: string) => (message: Message) =>
  message.role === 'tool'
    ? { ...message, parts: message.parts.map((part) => withPlainOutput(part, provider)) }
    : message

function withPlainOutput(part: Part, provider: string): Part {
  if (part.type !== 'tool-result' || !isForeign(part, provider)) return part
  const { output } = part.output as { readonly output?: unknown }
  return { ...part, output: output ?? null }
}
