import type { Message, Part } from '@braidwork/plugin'
import {
  defined,
  type Fields,
  fieldsOf,
  fileAt,
  fileOf,
  type GivenFile,
  requestInvalid,
  UNKNOWN_TYPE,
  type WireRequest,
} from '../index.ts'
import { type GivenNotification, notificationIn } from './notifications.ts'
import type { A2aVersion } from './version.ts'

/** A message to an agent. */
export interface A2aRequest extends WireRequest {
  /** The task that the message belongs to. Absent for a new one. */
  readonly taskId?: string
  /** The message itself, which is the only one of the request. */
  readonly message: Message
  /** The data of its parts, in which answers to approvals may be. */
  readonly data: readonly unknown[]
  /** Whether the client wants the task as it is at once, without waiting for its end. */
  readonly isImmediate: boolean
  /** Where the client wants the updates of the task to be posted to. */
  readonly notification?: GivenNotification
}

const USERS = ['ROLE_USER', 'user'] as const

/**
 * Decodes the parameters of a message to an agent. Data of parts is shown to the model as JSON.
 * @throws {HostError} REQUEST_INVALID
 */
export function decodeA2aMessage(params: unknown, version: A2aVersion): A2aRequest {
  const fields = fieldsOf(params)
  const sent = fields.object('message')
  if (!sent) throw fields.fault('message', 'is missing')
  if (sent.oneOf('role', USERS) === undefined)
    throw sent.fault('role', `must be ${USERS[version === '1.0' ? 0 : 1]}`)
  const parts = sent.list('parts') ?? []
  if (parts.length === 0) throw sent.fault('parts', 'is empty; give at least one part')
  const read = parts.map(version === '1.0' ? partOf : oldPartOf)
  const message: Message = {
    id: sent.need('messageId'),
    role: 'user',
    parts: read.map(({ part }) => part),
  }
  const { ignored, ...configuration } = configurationIn(fields, version)
  // Read, since they change nothing.
  for (const name of ['kind', 'metadata', 'extensions', 'referenceTaskIds']) sent.any(name)
  for (const name of ['tenant', 'metadata']) fields.any(name)
  return {
    // Clients write an id that they do not have as an empty text too.
    ...defined({ taskId: sent.text('taskId') || undefined }),
    ...defined({ conversationId: sent.conversationId('contextId') }),
    message,
    messages: [message],
    data: read.flatMap((one) => ('data' in one ? [one.data] : [])),
    ...configuration,
    settings: {},
    tools: [],
    approvals: [],
    isStreaming: false,
    ignored: [...fields.unread(), ...sent.unread(), ...ignored],
  }
}

function configurationIn(
  fields: Fields,
  version: A2aVersion,
): Pick<A2aRequest, 'isImmediate' | 'ignored' | 'notification'> {
  const given = fields.object('configuration')
  if (!given) return { isImmediate: false, ignored: [] }
  const config = given.object(
    version === '1.0' ? 'taskPushNotificationConfig' : 'pushNotificationConfig',
  )
  const notification = config && notificationIn(config, version)
  given.texts('acceptedOutputModes')
  given.integer('historyLength', 0)
  const isImmediate =
    version === '1.0' ? given.flag('returnImmediately') === true : given.flag('blocking') === false
  const ignored = given.unread().map((name) => `configuration.${name}`)
  return { isImmediate, ignored, ...defined({ notification }) }
}

type ReadPart = { readonly part: Part } | { readonly part: Part; readonly data: unknown }

const CONTENTS = ['text', 'raw', 'url', 'data'] as const

function partOf(fields: Fields): ReadPart {
  const [content, other] = CONTENTS.filter((name) => fields.any(name) !== undefined)
  if (content === undefined || other !== undefined) {
    throw requestInvalid(fields.path, `A part must have one of ${CONTENTS.join(', ')}.`)
  }
  const mediaType = fields.text('mediaType') || undefined
  const name = fields.text('filename') || undefined
  for (const other of ['metadata', 'kind']) fields.any(other)
  if (content === 'text') return textPart(fields.text('text') ?? '')
  if (content === 'data') return dataPart(fields.any('data'))
  return filePart(fields, content, { mediaType, name, data: content === 'raw' })
}

function oldPartOf(fields: Fields): ReadPart {
  const kind = fields.oneOf('kind', ['text', 'file', 'data'])
  if (kind === undefined) throw fields.fault('kind', 'is missing')
  fields.any('metadata')
  if (kind === 'text') return textPart(fields.text('text') ?? '')
  if (kind === 'data') return dataPart(fields.any('data'))
  const file = fields.object('file')
  if (!file) throw fields.fault('file', 'is missing')
  const about = {
    mediaType: file.text('mimeType') || undefined,
    name: file.text('name') || undefined,
  }
  const isData = file.any('bytes') !== undefined
  return filePart(file, isData ? 'bytes' : 'uri', { ...about, data: isData })
}

function textPart(text: string): ReadPart {
  return { part: { type: 'text', text } }
}

function dataPart(data: unknown): ReadPart {
  return { part: { type: 'text', text: JSON.stringify(data) }, data }
}

interface FileFacts {
  readonly mediaType: string | undefined
  readonly name: string | undefined
  /** Whether the file is given as base64, and not by its address. */
  readonly data: boolean
}

function filePart(fields: Fields, field: string, { mediaType, name, data }: FileFacts): ReadPart {
  const content = fields.need(field)
  const given: GivenFile = data ? fileOf(mediaType ?? UNKNOWN_TYPE, content) : fileAt(content)
  if ('fault' in given) throw fields.fault(field, given.fault)
  const typed = data || mediaType === undefined ? {} : { mediaType }
  return { part: { ...given.file, ...typed, ...defined({ name }) } }
}
