import type { Message, Part, ToolCallPart, ToolResultPart } from '@braidwork/plugin'
import {
  argumentsIn,
  CallNames,
  type Fields,
  fileAt,
  fileOf,
  type GivenFile,
  JoinedMessages,
  outputOfParts,
  quoted,
  typeOfName,
} from '../index.ts'

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'] as const

/** Decodes a history. Consecutive tool results become one message. */
export function messagesOf(given: readonly Fields[]): readonly Message[] {
  const calls = new CallNames()
  const history = new JoinedMessages(['tool'])
  for (const fields of given) history.add(messageOf(fields, calls))
  return history.messages
}

function messageOf(fields: Fields, calls: CallNames): Message {
  const role = fields.oneOf('role', ROLES)
  switch (role) {
    case 'system':
    case 'developer':
      return { role: 'system', parts: contentOf(fields, textPart) }
    case 'user':
      return { role, parts: contentOf(fields, userPart) }
    case 'assistant':
      return { role, parts: assistantParts(fields, calls) }
    case 'tool':
      return { role, parts: [resultPart(fields, calls)] }
    default:
      throw fields.fault('role', `is missing; it must be one of ${ROLES.join(', ')}`)
  }
}

type ReadPart = (part: Fields) => Part

/** Reads the content of a message: a string or a list of parts. */
function contentOf(fields: Fields, read: ReadPart): readonly Part[] {
  const content = fields.textOrList('content')
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (content === undefined)
    throw fields.fault('content', 'is missing; give a string or a list of parts')
  return content.map(read)
}

function textPart(part: Fields): Part {
  const type = part.any('type')
  if (type === 'text') return { type, text: part.text('text') ?? '' }
  if (type === 'refusal') return { type: 'text', text: part.text('refusal') ?? '' }
  throw part.fault('type', `must be "text" here, not ${quoted(type)}`)
}

function userPart(part: Fields): Part {
  switch (part.any('type')) {
    case 'image_url':
      return imagePart(part)
    case 'input_audio':
      return audioPart(part)
    case 'file':
      return filePart(part)
    case 'text':
      return textPart(part)
    default:
      throw part.fault('type', 'must be one of text, image_url, input_audio, file')
  }
}

function imagePart(part: Fields): Part {
  // Clients for Mistral's form of this API write the address itself.
  if (typeof part.any('image_url') === 'string') {
    return taken(fileAt(part.need('image_url'), 'image/'), part, 'image_url')
  }
  const image = part.object('image_url')
  if (image === undefined) throw part.fault('image_url', 'is missing')
  return taken(fileAt(image.need('url'), 'image/'), image, 'url')
}

const AUDIO = { wav: 'audio/wav', mp3: 'audio/mpeg' } as const

function audioPart(part: Fields): Part {
  const audio = part.object('input_audio')
  const format = audio?.oneOf('format', ['wav', 'mp3'])
  if (audio === undefined || format === undefined) {
    throw part.fault('input_audio', 'must have "data" in base64 and a "format", wav or mp3')
  }
  return taken(fileOf(AUDIO[format], audio.need('data')), audio, 'data')
}

function filePart(part: Fields): Part {
  const file = part.object('file')
  if (file === undefined) throw part.fault('file', 'is missing')
  if (file.any('file_id') !== undefined) {
    throw file.fault(
      'file_id',
      'names a file that this server does not have; send the file as "file_data"',
    )
  }
  const name = file.text('filename')
  const data = file.need('file_data')
  const type = name === undefined ? undefined : typeOfName(name)
  const isPlain = !data.startsWith('data:') && type !== undefined
  const given = isPlain ? fileOf(type, data) : fileAt(data)
  const known = taken(given, file, 'file_data')
  return name === undefined ? known : { ...known, name }
}

function taken(given: GivenFile, fields: Fields, name: string): Extract<Part, { type: 'file' }> {
  if ('file' in given) return given.file
  throw fields.fault(name, given.fault)
}

function assistantParts(fields: Fields, calls: CallNames): readonly Part[] {
  // Clients send back all that an answer had.
  fields.leave()
  const content = fields.any('content') ?? ''
  const texts = content === '' ? [] : contentOf(fields, textPart)
  const refusal = fields.text('refusal')
  const reasoning = fields.text('reasoning_content')
  const made = fields.list('tool_calls') ?? []
  return [
    ...(reasoning ? [{ type: 'reasoning' as const, text: reasoning }] : []),
    ...texts,
    ...(refusal ? [{ type: 'text' as const, text: refusal }] : []),
    ...made.map((call) => callPart(call, calls)),
  ]
}

function callPart(call: Fields, calls: CallNames): ToolCallPart {
  const callId = call.need('id')
  const called = call.object('function')
  if (called === undefined) throw call.fault('function', 'is missing; give {name, arguments}')
  const name = called.need('name')
  calls.add(callId, name)
  return { type: 'tool-call', callId, name, input: argumentsIn(called.text('arguments') ?? '') }
}

function resultPart(fields: Fields, calls: CallNames): ToolResultPart {
  const called = calls.answer(fields, 'tool_call_id')
  // OpenAI's own API takes only texts here, but other servers, and so their clients, take images too.
  return { type: 'tool-result', ...called, output: outputOfParts(contentOf(fields, userPart)) }
}
