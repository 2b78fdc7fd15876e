import { HostError } from '../errors.ts'
import { ownTurn, turnFor } from '../pace.ts'
import type { OfferedTool } from './offered-tools.ts'
import {
  type Lower,
  type LoweredSchema,
  lowering,
  type ToolSchemaFormat,
  withoutNulls,
} from './tools/index.ts'

/** Tools that are lowered in one turn of the event loop: a usual one takes a tenth of a millisecond. */
const MOST_AT_ONCE = 50

/**
 * The tools on offer, each with its schema as the provider takes it: the one place where the schemas of a
 * request are lowered. What cannot be lowered stays as it is, and its `lost` says why.
 */
export async function lowerTools(
  tools: readonly OfferedTool[],
  format: ToolSchemaFormat,
): Promise<readonly OfferedTool[]> {
  const lower = lowering(format)
  const lowered: OfferedTool[] = []
  for (const tool of tools) {
    await turnFor([], [tool.schema])
    if (lowered.length % MOST_AT_ONCE === MOST_AT_ONCE - 1) await ownTurn()
    lowered.push({ ...tool, lowered: { ...loweredOrOwn(lower, tool), format } })
  }
  return lowered
}

/** What the API makes of a schema that is none is for the API to say: others of the request may be fine. */
function loweredOrOwn(lower: Lower, tool: OfferedTool): LoweredSchema {
  const { input_schema } = tool.schema
  try {
    return lower(input_schema, { takesNulls: isRunHere(tool) })
  } catch (error) {
    if (!HostError.is(error) || error.code !== 'TOOL_SCHEMA_INVALID') throw error
    const { pointer = '', message: reason } = error
    return { input_schema, lost: [{ pointer, keyword: 'input_schema', reason, effect: 'same' }] }
  }
}

/** The arguments of a call as the tool's own schema means them: without the nulls that only its lowered one wants. */
export function inputMeant(input: unknown, { schema, lowered }: OfferedTool): unknown {
  const mayHaveNulls = lowered?.format === 'openai-strict' && lowered.strict === true
  return mayHaveNulls ? withoutNulls(schema.input_schema, input) : input
}

/** Whether the host runs the calls. A client is given them as the model writes them, with every null. */
function isRunHere({ plugin, execute }: OfferedTool): boolean {
  return plugin !== undefined || execute !== undefined
}
