import { type Compacted, CompactionRecord } from '@braidwork/agent/internal'
import { messageOf, toHostError } from '@braidwork/plugin/internal'
import { publicError } from '../wire/index.ts'
import type { RunWorkParts } from './run-parts.ts'

type RecordParts = ConstructorParameters<typeof CompactionRecord>[0]

interface RecordedParts
  extends Pick<RunWorkParts, 'storage' | 'log' | 'telemetry'>,
    Omit<RecordParts, 'runs' | 'onStored'> {}

/**
 * Does a compaction, and tells it in the log of the run before it. What cannot be told is logged: the compaction itself
 * does not depend on it. LR-07
 * @param compact does it; it calls `started` when the model is about to be asked
 */
export async function recorded(
  { storage, log, telemetry, ...place }: RecordedParts,
  compact: (started: () => Promise<void>) => Promise<Compacted>,
): Promise<Compacted> {
  const record = new CompactionRecord({
    ...place,
    runs: storage.runs,
    onStored: (run, event) => telemetry?.publish(run, event),
  })
  const tell = (telling: Promise<void>) =>
    telling.catch((error: unknown) => {
      log({ level: 'error', message: `A compaction cannot be told: ${messageOf(error)}` })
    })
  try {
    const compacted = await compact(() => tell(record.started()))
    await tell(record.completed(compacted))
    return compacted
  } catch (error) {
    // Clients read the log of the run.
    await tell(record.failed(publicError(toHostError(error).toJSON())))
    throw error
  }
}
