import { HostError } from '@braidwork/plugin'
import { ownTurn, turnFor } from '../pace.ts'
import type { Lost } from './lost.ts'
import {
  hasStrict,
  type Lower,
  type LoweredSchema,
  lowering,
  type ToolSchemaFormat,
} from './lowering.ts'
import type { OfferedTool } from './offered-tools.ts'
import { schemaInvalid } from './source.ts'
import { withoutNulls } from './without-nulls.ts'

/** Tools that are lowered in one turn of the event loop: a usual one takes a tenth of a millisecond. */
const MOST_AT_ONCE = 50

/** The most values of a schema that a request lowers: that takes some 30 ms, in which nothing else runs. */
const MOST_VALUES = 10_000

/**
 * The tools on offer, each with its schema as the provider takes it: the one place where the schemas of a
 * request are lowered. A schema that cannot be lowered stays unchanged, and its `lost` says why.
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
    lowered.push({ ...tool, lowered: { ...loweredOrOwn(lower, tool, format), format } })
  }
  return lowered
}

/** One broken schema must not fail the whole request: the API may take it, or says itself why it does not. */
function loweredOrOwn(lower: Lower, tool: OfferedTool, format: ToolSchemaFormat): LoweredSchema {
  const { input_schema } = tool.schema
  try {
    if (format !== 'json-schema' && hasMore(input_schema, MOST_VALUES)) throw tooLarge()
    return lower(input_schema, { takesNulls: isRunHere(tool) })
  } catch (error) {
    if (!HostError.is(error) || error.code !== 'TOOL_SCHEMA_INVALID') throw error
    const { pointer = '', message: reason } = error
    const lost: Lost = { pointer, keyword: 'input_schema', reason, effect: 'same' }
    return { input_schema, ...(hasStrict(format) ? { strict: false } : {}), lost: [lost] }
  }
}

function tooLarge(): HostError {
  return schemaInvalid('', `it has more than ${MOST_VALUES} values, too many for a request`)
}

/** Whether a value contains more than `most` values; stops looking when it knows. */
function hasMore(value: unknown, most: number): boolean {
  const found: unknown[] = [value]
  for (let at = 0; at < found.length && found.length <= most; at++) {
    const inner = found[at]
    if (typeof inner === 'object' && inner !== null)
      found.push(...Object.values(inner).slice(0, most))
  }
  return found.length > most
}

/** The arguments of a call as the tool's own schema means them: without the nulls that only its lowered one wants. */
export function inputMeant(input: unknown, { schema, lowered }: OfferedTool): unknown {
  const mayHaveNulls = lowered?.format === 'openai-strict' && lowered.strict === true
  return mayHaveNulls ? withoutNulls(schema.input_schema, input) : input
}

/** Whether the host runs the calls. A client receives them as the model writes them, with every null. */
function isRunHere({ plugin, execute }: OfferedTool): boolean {
  return plugin !== undefined || execute !== undefined
}
