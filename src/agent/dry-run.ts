import type { DryRun, Host } from '@braidwork/core'
import { linkSignals } from '@braidwork/core/internal'
import type { ModelChoice } from '@braidwork/plugin'
import { ChildRuns } from './children/index.ts'
import { systemEnvironment } from './environment.ts'
import { OpenedModels } from './opened-models.ts'
import type { RunOptions } from './run-options.ts'
import { RunRecord } from './run-record.ts'
import { StepRequests } from './step-requests.ts'

/** The request that a run would send first, what each plugin changed in it, the model, and the warnings until then. */
export type RunDryRun = DryRun & {
  readonly model: ModelChoice
  readonly warnings: readonly string[]
}

/**
 * Builds the first request of a run as the run would, without sending it. No phase of the run begins: it has no steps,
 * runs no tool and tells no event.
 * @throws {HostError} MESSAGES_INVALID, HOOK_FAILED, and the errors of `host.open`
 */
export async function dryRun(host: Host, options: RunOptions): Promise<RunDryRun> {
  const { environment = systemEnvironment, runId = environment.newId('run') } = options
  const record = new RunRecord({ runId, seq: 0, steps: 0 }, environment)
  const cancel = new AbortController()
  const { signal } = cancel
  const ignored = () => undefined
  const asking = { options, record, signal, onAnswer: ignored, leg: ignored }
  const own = { ...options, tools: [...(options.tools ?? []), ...new ChildRuns(asking).tools] }
  const models = new OpenedModels({ host, options: own, record, cancel, emit: ignored })
  const unlink = linkSignals([options.signal], cancel)
  try {
    const requests = new StepRequests({ host, record, models, signal, options: own })
    return { ...(await requests.dryRun()), warnings: record.warnings }
  } finally {
    unlink()
    models.end()
  }
}
