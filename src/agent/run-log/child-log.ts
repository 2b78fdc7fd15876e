import { linkSignals } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import type { RunStream } from '../run-result.ts'
import type { StoredRun } from '../storage/index.ts'
import { LeftTree, type LeftTreeParts } from './left-tree.ts'
import type {
  ChildLog,
  ChildRecord,
  RecordChild,
  RunBeginning,
  RunLeg,
  RunLogOptions,
  RunWork,
} from './options.ts'

/** What a log does with any run, child or not. */
interface Log extends LeftTreeParts {
  readonly orderOf: NonNullable<RunLogOptions['childOrder']>
  readonly start: (beginning: RunBeginning) => Promise<unknown>
  readonly resume: (owner: string, runId: string, work: RunWork) => Promise<unknown>
  /** Goes on with an active run, whichever process held it. */
  readonly goOn: (owner: string, runId: string, work: RunWork) => Promise<unknown>
  /** Resolves when the end of a run is stored. */
  readonly settled: (runId: string) => Promise<void>
}

/** The children of a run, as runs of its owner. */
export function childLog(log: Log, parent: StoredRun): ChildLog {
  const tree = new LeftTree(log, parent)
  return {
    record: childRecorder(log, parent),
    find: (place, answered) => tree.find(place, answered),
  }
}

function childRecorder(log: Log, parent: StoredRun): RecordChild {
  return async (child, open) => {
    const { runId, place, begins } = child
    const { owner } = parent
    let stream: RunStream | undefined
    const work: RunWork = {
      open: (_, leg) => {
        stream = linked(child, leg, open)
        return stream
      },
    }
    if (begins === 'answered') await log.resume(owner, runId, work)
    else if (begins === 'interrupted') await log.goOn(owner, runId, work)
    else {
      const order = log.orderOf(parent, child)
      await log.start({ run: { id: runId, owner, place, order }, ...work })
    }
    if (!stream) throw gone(runId)
    const { result } = stream
    return { result: log.settled(runId).then(() => result) }
  }
}

/** Begins the work on a child, which ends with its parent and by itself. */
function linked({ signal }: ChildRecord, leg: RunLeg, open: (leg: RunLeg) => RunStream): RunStream {
  const cancel = new AbortController()
  const unlink = linkSignals([signal, leg.signal], cancel)
  const stream = open({ ...leg, signal: cancel.signal })
  void stream.result.then(unlink)
  return stream
}

function gone(runId: string): HostError {
  const message = `The child run "${runId}" does not wait any more, so it cannot go on.`
  return new HostError('RUN_UNKNOWN', message)
}
