import type { StoredRun } from '@braidwork/agent'
import { HostError } from '@braidwork/plugin'
import { responseOf } from '../../dialect.ts'
import type { Notices } from '../../notifications/index.ts'
import {
  a2aResult,
  type GivenNotification,
  type NotificationConfig,
  noNotifications,
  notificationAnswer,
  notificationOf,
  notificationQueryIn,
} from '../../wire/a2a/index.ts'
import { presentView, runOf, type TaskRequest } from './tasks.ts'

/** The most receivers that a task may have. */
const MOST_RECEIVERS = 10

/**
 * Checks a receiver that a client names, and gives it an id if it has none.
 * @throws {HostError} NOTIFICATIONS_UNSUPPORTED, REQUEST_INVALID
 */
export async function receiverOf(
  asked: TaskRequest,
  given: GivenNotification,
): Promise<NotificationConfig> {
  await noticesOf(asked).assertReceiver(given.url, asked.c.req.raw.signal)
  const { environment } = asked.services
  return { ...given, id: given.id ?? environment.newId('request') }
}

/** Stores a receiver. It is told the present state, since it may have missed how the run has begun. */
export async function addReceiver(
  asked: TaskRequest,
  run: StoredRun,
  receiver: NotificationConfig,
): Promise<void> {
  const { c, services } = asked
  const { quotas } = services
  const notices = noticesOf(asked)
  const known = await notices.configs.list(run)
  const others = known.filter(({ id }) => id !== receiver.id)
  if (others.length >= MOST_RECEIVERS) {
    const message = `The task has ${MOST_RECEIVERS} receivers already. Delete one of them first.`
    throw new HostError('REQUEST_INVALID', message)
  }
  await quotas.assertRoom(c.get('identity'))
  await notices.configs.save(run, receiver)
  const present = await services.runs.find(c.get('identity'), run.id)
  const { task } = await presentView(present, services)
  notices.tell(present, task)
}

/** Names a receiver of the states of a task. @throws {HostError} the errors of {@link receiverOf}; RUN_UNKNOWN */
export async function setNotification(asked: TaskRequest, params: object): Promise<Response> {
  noticesOf(asked)
  const { taskId, given } = notificationOf(params, asked.format.version)
  const run = await runOf(asked, taskId)
  const receiver = await receiverOf(asked, given)
  await addReceiver(asked, run, receiver)
  return respond(asked, notificationAnswer(run.id, receiver))
}

/** @throws {HostError} NOTIFICATIONS_UNSUPPORTED, RUN_UNKNOWN, NOTIFICATION_UNKNOWN */
export async function getNotification(asked: TaskRequest, params: object): Promise<Response> {
  const { run, id, configs } = await meant(asked, params)
  const config = id === undefined ? (await configs.list(run))[0] : await configs.load(run, id)
  if (config) return respond(asked, notificationAnswer(run.id, config))
  throw new HostError('NOTIFICATION_UNKNOWN', 'The task has no such receiver.')
}

/** @throws {HostError} NOTIFICATIONS_UNSUPPORTED, RUN_UNKNOWN */
export async function listNotifications(asked: TaskRequest, params: object): Promise<Response> {
  const { run, configs } = await meant(asked, params)
  const listed = (await configs.list(run)).map((config) => notificationAnswer(run.id, config))
  return respond(asked, asked.format.version === '1.0' ? { configs: listed } : listed)
}

/** Deletes a receiver, also one that is not there. @throws {HostError} NOTIFICATIONS_UNSUPPORTED, RUN_UNKNOWN */
export async function deleteNotification(asked: TaskRequest, params: object): Promise<Response> {
  const { run, id, configs } = await meant(asked, params)
  if (id !== undefined) await configs.delete(run, id)
  return respond(asked, asked.format.version === '1.0' ? {} : null)
}

async function meant(
  asked: TaskRequest,
  params: object,
): Promise<{
  readonly run: StoredRun
  readonly id?: string
  readonly configs: Notices['configs']
}> {
  const { configs } = noticesOf(asked)
  const { taskId, ...which } = notificationQueryIn(params, asked.format.version)
  return { run: await runOf(asked, taskId), configs, ...which }
}

/** @throws {HostError} NOTIFICATIONS_UNSUPPORTED */
function noticesOf({ services }: TaskRequest): Notices {
  if (services.notices) return services.notices
  throw noNotifications()
}

function respond({ format }: TaskRequest, result: unknown): Response {
  return responseOf(a2aResult(format, result))
}
