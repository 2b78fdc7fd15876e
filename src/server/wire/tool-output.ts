import type { ToolResultPart } from '@braidwork/plugin'

/** What a client is told of a result: what the model is told, without what one provider alone opens. */
export function outputOf({ output }: Pick<ToolResultPart, 'output'>): unknown {
  const isEnvelope =
    typeof output === 'object' && output !== null && 'native' in output && 'output' in output
  return isEnvelope && Object.keys(output).length === 2 ? output.output : output
}

/** A result as a text. */
export function outputTextOf(result: Pick<ToolResultPart, 'output'>): string {
  const output = outputOf(result)
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
}
