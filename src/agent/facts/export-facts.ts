import type { RunEvent } from '@braidwork/plugin'
import type { Storage, StoredRun } from '../storage/index.ts'
import type { Fact } from './fact.ts'
import type { ToolRecord } from './record.ts'
import { RunFacts } from './run-facts.ts'
import { ToolRecords } from './tool-records.ts'

/** The forms in which facts are exported. */
export const FACT_FORMATS = ['agentruntime', 'agenttool'] as const
export type FactFormat = (typeof FACT_FORMATS)[number]

export interface FactExport {
  readonly format: FactFormat
  /** Makes an event as the reader may see it, or leaves it out. The default shows all. */
  readonly shown?: (event: RunEvent) => RunEvent | undefined
}

/** Yields what the stored events of a run tell, from the first to the last that is stored. LR-16 */
export async function* exportFacts(
  run: StoredRun,
  storage: Storage,
  { format, shown = (event) => event }: FactExport,
): AsyncGenerator<Fact | ToolRecord> {
  const facts = format === 'agenttool' ? new ToolRecords(run) : await runFacts(run, storage)
  for (let after = -1; ; ) {
    const page = await storage.runs.events(run.owner, run.id, { after })
    const last = page.at(-1)
    if (last === undefined) return
    for (const event of page) {
      const seen = shown(event)
      if (seen) yield* facts.add(seen)
    }
    after = last.seq
  }
}

async function runFacts(run: StoredRun, { runs }: Storage): Promise<RunFacts> {
  const { owner, conversationId, id } = run
  const all = conversationId === undefined ? [] : await runs.list(owner, conversationId)
  const newer = all.findIndex((one) => one.id === id)
  return new RunFacts(run, newer < 0 ? 0 : all.length - newer - 1)
}
