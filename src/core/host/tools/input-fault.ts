import { findJsonFault, HostError, isObject, type ToolCallPart } from '@braidwork/plugin'
import { asSentence, messageOf } from '@braidwork/plugin/internal'
import { faultFinderOf, faultIn, isCodeForbidden, withoutUnchecked } from '../../config/index.ts'
import { inputMeant, type OfferedTool } from '../../tool-schemas/index.ts'
import { type CallOutcome, failure, failureOf } from './call-outcome.ts'

/** A call as a program writes it, for which the `type` of a part says nothing. */
export type NamedCall = Pick<ToolCallPart, 'callId' | 'name' | 'input'> & Partial<ToolCallPart>

/**
 * The outcome of a call that does not run, because its arguments are invalid or the schema of its tool is broken.
 * Undefined if it can run. @param mask masks the secrets of the config in a text
 */
export async function inputFailure(
  call: NamedCall,
  tool: OfferedTool,
  mask: (text: string) => string,
): Promise<CallOutcome | undefined> {
  try {
    const fault = await inputFault(call, tool)
    return fault === undefined ? undefined : failure('invalid_arguments', fault)
  } catch (error) {
    return failureOf(error, mask)
  }
}

/**
 * Describes the fault in a call's arguments in words that help the model. Undefined if they are valid.
 * @throws {HostError} TOOL_SCHEMA_INVALID if no arguments can be checked by the schema of the tool
 */
export async function inputFault(
  { input, name }: NamedCall,
  tool: OfferedTool,
): Promise<string | undefined> {
  if (typeof input === 'string')
    return `The arguments of "${name}" are not JSON: ${input.slice(0, 200)}`
  if (!isObject(input)) return `The arguments of "${name}" are not a JSON object.`
  const depthFault = findJsonFault(input)
  if (depthFault) return `The arguments of "${name}" are not valid: ${depthFault.reason}.`
  const meant = inputMeant(input, tool)
  const found = await faultsIn(meant, tool)
  if (!found) return undefined
  const faults = found.map(({ pointer, message }) => `${pointer || '/'}: ${asSentence(message)}`)
  if (faults.length === 1) return `The arguments of "${name}" are not valid at ${faults[0]}`
  return [`The arguments of "${name}" are not valid:`, ...faults].join('\n- ')
}

async function faultsIn(input: unknown, { name, plugin, schema: { input_schema } }: OfferedTool) {
  try {
    const schema = await withoutUnchecked(input_schema)
    if (!(await faultIn(schema, input))) return undefined
    return (await faultFinderOf(schema))(input)
  } catch (cause) {
    const owner = plugin ? ` of plugin "${plugin.name}"` : ''
    const fault = isCodeForbidden(cause) ? '' : 'its "input_schema" is not valid: '
    const message = `The tool "${name}"${owner} cannot be called, because ${fault}${asSentence(messageOf(cause))}`
    throw new HostError('TOOL_SCHEMA_INVALID', message, { plugin: plugin?.name, cause })
  }
}
