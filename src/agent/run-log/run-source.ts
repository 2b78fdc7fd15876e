import type { Log } from '@braidwork/plugin'
import type { Environment } from '../environment.ts'
import { runUnknown, type Storage } from '../storage/index.ts'
import type { LiveRun } from './live-run.ts'
import type { RunSource } from './run-reader.ts'

/** How often to read the log of a run that another process writes, in milliseconds. */
const POLL = 50
const PAGE = 1000

export interface RunSourceParts {
  readonly runs: Storage['runs']
  readonly environment: Environment
  readonly log: Log
  /** The runs that this process writes, by id. */
  readonly live: ReadonlyMap<string, LiveRun>
}

/** What a reader of a run reads from. */
export function runSource(
  { runs, environment, log, live }: RunSourceParts,
  owner: string,
  runId: string,
): RunSource {
  return {
    load: async () => {
      const run = await runs.load(owner, runId)
      if (!run) throw runUnknown(runId)
      return run
    },
    live: () => {
      const own = live.get(runId)
      return own?.run.owner === owner ? own : undefined
    },
    page: (after, most = PAGE) => runs.events(owner, runId, { after, limit: most }),
    tellBehind: () => {
      const message =
        'A reader lost the end of a run: the events that it had not read were deleted.'
      log({ level: 'warn', code: 'READER_BEHIND', message, runId })
    },
    pause: async (closing) => {
      try {
        await environment.sleep(POLL, closing)
      } catch (error) {
        if (!closing.aborted) throw error
      }
    },
  }
}
