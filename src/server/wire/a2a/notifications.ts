import { HostError } from '@braidwork/plugin'
import { defined, Fields } from '../index.ts'
import { taskIn } from './spelling.ts'
import type { A2aTask } from './task.ts'
import type { A2aVersion } from './version.ts'

/** Where the updates of a task are posted to. */
export interface NotificationConfig {
  /** Unique within the task. */
  readonly id: string
  readonly url: string
  /** Sent back in a header, by which the receiver knows that it has asked for the notification. */
  readonly token?: string
  /** The scheme and the credentials of the header `Authorization`. */
  readonly scheme?: string
  readonly credentials?: string
  /** The version in which the tasks are written. */
  readonly version: A2aVersion
}

/** A config as a client sends it. A client may leave the choice of the id to the server. */
export type GivenNotification = Omit<NotificationConfig, 'id'> & { readonly id?: string }

const LONGEST_ID = 200
const LONGEST = 2048
/** What a header may have. */
const HEADER_TEXT = /^[\x20-\x7e]*$/
const SCHEME = /^[\w!#$%&'*+.^`|~-]+$/

/** Reads a config. @throws {HostError} REQUEST_INVALID */
export function notificationIn(fields: Fields, version: A2aVersion): GivenNotification {
  const url = limited(fields, 'url', LONGEST)
  if (url === undefined) throw fields.fault('url', 'is missing; give an address')
  const token = limited(fields, 'token', LONGEST)
  const id = limited(fields, 'id', LONGEST_ID)
  return { url, version, ...defined({ id, token }), ...authenticationIn(fields) }
}

function authenticationIn(fields: Fields): Pick<GivenNotification, 'scheme' | 'credentials'> {
  const given = fields.object('authentication')
  if (!given) return {}
  const [first] = given.texts('schemes') ?? []
  const scheme = given.text('scheme') || first
  const credentials = limited(given, 'credentials', LONGEST)
  if (scheme === undefined) return {}
  if (!SCHEME.test(scheme)) throw given.fault('scheme', 'must be a name, such as "Bearer"')
  return { scheme, ...defined({ credentials }) }
}

function limited(fields: Fields, name: string, most: number): string | undefined {
  const text = fields.text(name) || undefined
  if (text === undefined || (text.length <= most && HEADER_TEXT.test(text))) return text
  throw fields.fault(name, `must have at most ${most} characters, all of them of ASCII`)
}

/** Reads a config from the parameters of an operation. @throws {HostError} REQUEST_INVALID */
export function notificationOf(
  params: object,
  version: A2aVersion,
): { readonly taskId: string; readonly given: GivenNotification } {
  const fields = new Fields(params, [])
  const taskId = fields.need('taskId')
  const config = version === '1.0' ? fields : fields.object('pushNotificationConfig')
  if (!config) throw fields.fault('pushNotificationConfig', 'is missing')
  return { taskId, given: notificationIn(config, version) }
}

/** Which config of a task is meant. Version 0.3 may leave out which. */
export interface NotificationQuery {
  readonly taskId: string
  readonly id?: string
}

/** @throws {HostError} REQUEST_INVALID */
export function notificationQueryIn(params: object, version: A2aVersion): NotificationQuery {
  const fields = new Fields(params, [])
  const [task, config] =
    version === '1.0' ? (['taskId', 'id'] as const) : (['id', 'pushNotificationConfigId'] as const)
  return { taskId: fields.need(task), ...defined({ id: fields.text(config) || undefined }) }
}

/** Writes a config as clients read it. The credentials are not told again. */
export function notificationAnswer(taskId: string, config: NotificationConfig): object {
  const { id, url, token, scheme, version } = config
  const own = { id, url, ...defined({ token }) }
  if (version === '1.0') {
    return { taskId, ...own, ...(scheme === undefined ? {} : { authentication: { scheme } }) }
  }
  const authentication = scheme === undefined ? {} : { authentication: { schemes: [scheme] } }
  return { taskId, pushNotificationConfig: { ...own, ...authentication } }
}

/** Writes the body of a notification: the task as it is. */
export function notificationBody(version: A2aVersion, task: A2aTask): string {
  const written = taskIn(version, task)
  return JSON.stringify(version === '1.0' ? { task: written } : written)
}

/** The error for whatever concerns push notifications, where the server sends none. */
export function noNotifications(): HostError {
  const message =
    'The server sends no push notifications. Stream the task, subscribe to it or get it.'
  return new HostError('NOTIFICATIONS_UNSUPPORTED', message)
}
