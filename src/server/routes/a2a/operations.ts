import { HostError } from '@braidwork/plugin'
import { type A2aOperation, taskIdIn } from '../../wire/a2a/index.ts'
import { listTasks } from './list.ts'
import {
  deleteNotification,
  getNotification,
  listNotifications,
  setNotification,
} from './notifications.ts'
import { sendMessage } from './send.ts'
import { respondTask, runOf, streamRun, type TaskRequest } from './tasks.ts'

/** Carries out one operation of either binding. */
export function operate(
  operation: A2aOperation,
  asked: TaskRequest,
  params: object,
): Promise<Response> {
  return OPERATIONS[operation](asked, params)
}

type Operation = (asked: TaskRequest, params: object) => Promise<Response>

const OPERATIONS: { readonly [operation in A2aOperation]: Operation } = {
  send: (asked, params) => sendMessage(asked, params, false),
  stream: (asked, params) => sendMessage(asked, params, true),
  get: async (asked, params) => respondTask(asked, await runOf(asked, taskIdIn(params))),
  list: listTasks,
  cancel: cancelTask,
  subscribe: subscribeToTask,
  'set-notification': setNotification,
  'get-notification': getNotification,
  'list-notifications': listNotifications,
  'delete-notification': deleteNotification,
  'extended-card': () => Promise.reject(unsupported('The agent has no extended card.')),
}

/** @throws {HostError} RUN_UNKNOWN; RUN_NOT_ACTIVE if the task is over */
async function cancelTask(asked: TaskRequest, params: object): Promise<Response> {
  const { c, services } = asked
  const { runs } = services
  const identity = c.get('identity')
  const run = await runOf(asked, taskIdIn(params))
  if (await runs.stop(identity, run.id))
    return respondTask(asked, await runs.find(identity, run.id))
  throw new HostError('RUN_NOT_ACTIVE', 'The task is over, so it cannot be canceled.')
}

/** @throws {HostError} RUN_UNKNOWN; OPERATION_UNSUPPORTED if the task is over */
async function subscribeToTask(asked: TaskRequest, params: object): Promise<Response> {
  const run = await runOf(asked, taskIdIn(params))
  if (run.status === 'active' || run.status === 'suspended') return streamRun(asked, run)
  throw unsupported('The task is over, so it has no further updates. Get it instead.')
}

function unsupported(message: string): HostError {
  return new HostError('OPERATION_UNSUPPORTED', message)
}
