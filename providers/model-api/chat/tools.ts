import { type Context, isObject, type JsonObject, type ModelTool } from '@braidwork/plugin'
import { functionOf } from '../content.ts'
import { defined } from '../json.ts'
import type { Sampling } from '../settings.ts'
import type { ChatDialect, Choice } from './dialect.ts'

interface Around {
  readonly dialect: ChatDialect
  readonly isReasoning: boolean
  /** The setting `strict_tools`. */
  readonly strict: boolean | undefined
  readonly warn: Context['warn']
}

interface Offer {
  readonly tools: readonly ModelTool[]
  readonly choice?: unknown
}

/**
 * The request fields for tools and tool choice. If the server lacks a choice, the offered tools are reduced
 * accordingly; if that is not possible, the choice is dropped with a warning.
 */
export function toolFields(
  tools: readonly ModelTool[],
  { tool_choice: choice, parallel_tool_calls: parallel }: Sampling,
  around: Around,
): JsonObject {
  const offer = offerOf(tools, choice, around)
  if (offer.tools.length === 0) return {}
  const { dialect, warn } = around
  if (parallel === false && !dialect.hasParallelToolCalls) {
    warn('This API cannot be told to call one tool at a time: parallel_tool_calls is left out.')
  }
  return {
    tools: offer.tools.map((tool) => schemaOf(tool, around)),
    ...defined({
      tool_choice: offer.choice === 'required' ? dialect.required : offer.choice,
      parallel_tool_calls: dialect.hasParallelToolCalls ? parallel : undefined,
    }),
  }
}

function schemaOf(tool: ModelTool, { dialect, strict }: Around): JsonObject {
  const fields = functionOf(tool)
  const isTold = dialect.hasStrictTools || strict !== undefined
  return {
    type: 'function',
    function: isTold ? { ...fields, strict: tool.strict === true } : fields,
  }
}

function offerOf(
  tools: readonly ModelTool[],
  choice: Sampling['tool_choice'],
  { dialect, isReasoning, warn }: Around,
): Offer {
  const known = isReasoning ? dialect.choicesReasoning : dialect.choices
  if (choice === 'auto' || choice === undefined) {
    // A server without tool choices may refuse even "auto", which is its default anyway.
    return known.includes('required') ? { tools, choice } : { tools }
  }
  const kind: Choice = isObject(choice) ? 'named' : choice
  if (known.includes(kind)) {
    return isObject(choice)
      ? { tools, choice: { type: 'function', function: { name: choice['tool'] } } }
      : { tools, choice }
  }
  if (kind === 'none') return { tools: [] }
  const offered = isObject(choice) ? tools.filter(({ name }) => name === choice['tool']) : tools
  if (known.includes('required')) return { tools: offered, choice: 'required' }
  const when = isReasoning && dialect.choices.includes('required') ? ' while its model reasons' : ''
  warn(`This API cannot be told to call a tool${when}: the model may answer without a call.`)
  return { tools: offered }
}
