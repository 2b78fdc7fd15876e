import type { StoredRun } from '@braidwork/agent'
import { Fields, quoted, requestInvalid } from '../index.ts'
import type { TaskState } from './task.ts'

/** A question about the tasks of a context. */
export interface TaskQuery {
  readonly contextId: string | undefined
  readonly state: string | undefined
  readonly pageSize: number
  readonly pageToken: string | undefined
  readonly hasArtifacts: boolean
}

const MOST_TASKS = 100
const TASKS = 50

/** The states of a task by those of its run. */
export const STATE_OF: { readonly [status in StoredRun['status']]: TaskState } = {
  active: 'TASK_STATE_WORKING',
  suspended: 'TASK_STATE_INPUT_REQUIRED',
  done: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  interrupted: 'TASK_STATE_FAILED',
  aborted: 'TASK_STATE_CANCELED',
}

/** Reads the id of a task. @throws {HostError} REQUEST_INVALID */
export function taskIdIn(params: object): string {
  return new Fields(params, []).need('id')
}

/** @param params values, or texts from the query of an address. @throws {HostError} REQUEST_INVALID */
export function taskQueryIn(params: object): TaskQuery {
  const fields = new Fields(params, [])
  return {
    contextId: fields.text('contextId') || undefined,
    state: stateIn(fields),
    pageSize: pageSizeIn(fields),
    pageToken: fields.text('pageToken') || undefined,
    hasArtifacts: String(fields.any('includeArtifacts') ?? false) === 'true',
  }
}

/** The states of the protocol. Tasks of this server have those of {@link STATE_OF}. */
const STATES = [
  'TASK_STATE_UNSPECIFIED',
  'TASK_STATE_SUBMITTED',
  ...Object.values(STATE_OF),
  'TASK_STATE_REJECTED',
  'TASK_STATE_AUTH_REQUIRED',
]

function stateIn(fields: Fields): string | undefined {
  const state = fields.text('status') || undefined
  if (state === undefined || state === 'TASK_STATE_UNSPECIFIED') return undefined
  if (STATES.includes(state)) return state
  const names = [...new Set(STATES)].join(', ')
  throw requestInvalid(['status'], `"status" must be one of ${names}, not ${quoted(state)}.`)
}

function pageSizeIn(fields: Fields): number {
  const given = fields.any('pageSize') ?? TASKS
  const size = Number(given)
  if (Number.isSafeInteger(size) && size >= 1 && size <= MOST_TASKS) return size
  const message = `"pageSize" must be a whole number from 1 to ${MOST_TASKS}, not ${quoted(given)}.`
  throw requestInvalid(['pageSize'], message)
}
