import type { ToolResultPart } from '@braidwork/plugin'

/**
 * Returns the output of a result as the model sees it, without the native form that only one provider understands.
 */
export function outputOf({ output }: Pick<ToolResultPart, 'output'>): unknown {
  const isEnvelope =
    typeof output === 'object' && output !== null && 'native' in output && 'output' in output
  return isEnvelope && Object.keys(output).length === 2 ? output.output : output
}

/** Returns the output of a result as text. */
export function outputTextOf(result: Pick<ToolResultPart, 'output'>): string {
  const output = outputOf(result)
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
}
