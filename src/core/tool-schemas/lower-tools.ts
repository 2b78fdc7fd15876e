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
import { isOffered, type OfferedTool } from './offered-tools.ts'
import { schemaInvalid } from './source.ts'
import { withoutNulls } from './without-nulls.ts'

/** The number of tools that are converted in one turn of the event loop; one usually takes a tenth of a millisecond. */
const MOST_AT_ONCE = 50

/** The most values of a schema that a request converts. That takes about 30 ms, during which no other code runs. */
const MOST_VALUES = 10_000

/**
 * Converts the schemas of the tools on offer to the provider's format. The schemas of a request are converted here and
 * nowhere else. A schema that cannot be converted stays unchanged, and its `lost` gives the reason.
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
    const own = isOffered(tool) ? { lowered: { ...loweredOrOwn(lower, tool, format), format } } : {}
    lowered.push({ ...tool, ...own })
  }
  return lowered
}

/** One broken schema must not fail the request: the API may accept it, or report the error itself. */
function loweredOrOwn(lower: Lower, tool: OfferedTool, format: ToolSchemaFormat): LoweredSchema {
  const { input_schema, strict } = tool.schema
  if (strict === false && hasStrict(format)) return { input_schema, strict, lost: [] }
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

/** Whether a value contains more than `most` values. Stops counting as soon as that is known. */
function hasMore(value: unknown, most: number): boolean {
  const found: unknown[] = [value]
  for (let at = 0; at < found.length && found.length <= most; at++) {
    const inner = found[at]
    if (typeof inner === 'object' && inner !== null)
      found.push(...Object.values(inner).slice(0, most))
  }
  return found.length > most
}

/** The arguments as the tool's own schema means them: without the nulls that only the converted schema asks for. */
export function inputMeant(input: unknown, { schema, lowered }: OfferedTool): unknown {
  const mayHaveNulls = lowered?.format === 'openai-strict' && lowered.strict === true
  return mayHaveNulls ? withoutNulls(schema.input_schema, input) : input
}

/** Whether the host runs the calls. A client that runs them receives the arguments unchanged, with every null. */
function isRunHere({ plugin, execute }: OfferedTool): boolean {
  return plugin !== undefined || execute !== undefined
}
