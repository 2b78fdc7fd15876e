import { faultFinderOf } from '@braidwork/core/internal'
import type { SpecFault } from '../spec-faults.ts'
import type { StopCondition } from './stop-conditions.ts'

/** Only the host's own compiler of schemas knows RE2. Apart from the others, it is loaded for lists with a pattern alone. */
const PATTERNS = { items: { properties: { pattern: { 'x-syntax': 're2' } } } } as const

/** The patterns of valid conditions that are no RE2 expressions, with pointers into the list. */
export async function patternFaults(
  conditions: readonly StopCondition[],
): Promise<readonly SpecFault[]> {
  if (!conditions.some(({ type }) => type === 'content_match')) return []
  return (await faultFinderOf(PATTERNS))(conditions)
}
