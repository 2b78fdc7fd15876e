import { type EventSource, EventStream } from '@braidwork/core/internal'
import type { HostError, RunEventBody } from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import { assertRunOptions, isPosition } from './assert-run-options.ts'
import { endingEvent } from './run-endings.ts'
import { RUN_KINDS } from './run-option-kinds.ts'
import type { RunOptions } from './run-options.ts'
import { RunRecord, startOf } from './run-record.ts'
import type { RunEnding, RunResult, RunStream } from './run-result.ts'

/**
 * The run of options that are not valid: it tells its start and why it ends, and asks nothing. Undefined for options that
 * are valid.
 */
export function refusedRun(
  options: RunOptions,
  assert: (options: RunOptions) => void = assertRunOptions,
): RunStream | undefined {
  const fault = faultOf(options, assert)
  if (!fault) return undefined
  const told = toldWith(options)
  const record = RunRecord.of(told)
  return new EventStream(ending(fault, told, record), record.observedBy(told.onEvent))
}

function faultOf(
  options: RunOptions,
  assert: (options: RunOptions) => void,
): HostError | undefined {
  try {
    assert(options)
    return undefined
  } catch (error) {
    return toHostError(error)
  }
}

/** The options with which a run tells its events. */
const TELLING = ['environment', 'runId', 'parent', 'steering', 'onEvent'] as const

/** Those of them that are valid. */
function toldWith(options: RunOptions): Pick<RunOptions, (typeof TELLING)[number] | 'resume'> {
  const { resume } = options
  const valid = TELLING.filter(
    (name) => options[name] !== undefined && RUN_KINDS[name].has(options[name]),
  )
  return {
    ...Object.fromEntries(valid.map((name) => [name, options[name]])),
    ...(isPosition(resume) ? { resume } : {}),
  }
}

function ending(
  error: HostError,
  told: Pick<RunOptions, 'parent' | 'steering'>,
  record: RunRecord,
): EventSource<RunEventBody, RunResult> {
  const end: RunEnding = { status: 'failed', finishReason: 'error', error }
  return {
    run: async (sink) => {
      await sink([startOf(told, record.newRequestId())])
      told.steering?.end()
      await sink([endingEvent(end, record.result(end))])
      return record.result(end)
    },
    cancel: () => undefined,
  }
}
