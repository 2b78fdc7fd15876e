import type { Diagnostic } from '@braidwork/plugin'
import { didYouMean, listed } from '../../suggest.ts'
import type { OfferedTool } from '../../tool-schemas/index.ts'
import { type CallOutcome, failure } from './call-outcome.ts'

/** The most tool names that are compared with an unknown name for a suggestion; a model may send thousands of calls. */
const MOST_NAMED = 500

/** The outcome of a call of a tool that does not exist. @param errors what may be the reason CT-08 */
export function unknownTool(
  name: string,
  tools: readonly OfferedTool[],
  errors: readonly Diagnostic[] = [],
): CallOutcome {
  const names = tools.slice(0, MOST_NAMED).map((tool) => tool.name)
  const known =
    names.length > 0 ? `The tools are ${listed(names, tools.length)}.` : 'No tools are available.'
  const said = `Tool not registered: ${name}. ${known}${didYouMean(name, names)}`
  const reasons = errors.map(({ message }) => message)
  return failure('unknown_tool', [said, ...reasons].join(' '))
}
