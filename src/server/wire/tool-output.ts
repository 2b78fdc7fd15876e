import type { Part, ToolResultPart } from '@braidwork/plugin'
import { safeEvidence } from './addresses.ts'
import { defined } from './defined.ts'

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

/** Returns the output that a client sends as parts: one string if all of them are texts. */
export function outputOfParts(parts: readonly Part[]): unknown {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === parts.length ? texts.join('') : parts
}

/** The facts of a result that its output does not have, for a protocol's metadata. */
export type ResultFacts = Pick<ToolResultPart, 'error' | 'references' | 'artifacts' | 'evidence'>

/**
 * Why the call failed, what is stored of a result that is shown as a preview, and what the tool stated about its result.
 * Addresses that a page must not follow are removed. Undefined if there is nothing of these.
 */
export function resultFacts(result: ToolResultPart): ResultFacts | undefined {
  const { error, references } = result
  const { artifacts, evidence } = safeEvidence(result)
  const facts = defined({ error, references, artifacts, evidence })
  return Object.keys(facts).length > 0 ? facts : undefined
}
