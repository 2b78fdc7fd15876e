import type { RunEvent } from '@braidwork/plugin'
import type { FactSources } from './fact.ts'
import { CALL_SOURCES } from './of-calls.ts'
import { EVIDENCE_SOURCES } from './of-evidence.ts'
import { MODEL_SOURCES } from './of-models.ts'
import { RUN_SOURCES } from './of-runs.ts'

/** What each type of event becomes. A type that is missing here does not compile. */
export const FACT_SOURCES: FactSources<RunEvent['type']> = {
  ...RUN_SOURCES,
  ...MODEL_SOURCES,
  ...CALL_SOURCES,
  ...EVIDENCE_SOURCES,
}
