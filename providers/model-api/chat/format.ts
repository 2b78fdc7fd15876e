import type { FilePart } from '@braidwork/plugin'
import { onlyInline } from '../files.ts'
import type { Format } from '../format.ts'
import { isImage } from '../result-images.ts'
import { spokenIn } from './audio.ts'
import { ChatAnswer, isWholeChat } from './chunks.ts'
import type { FileKind } from './dialect.ts'
import { chatMessage } from './message.ts'
import { type ChatServer, chatRequest } from './request.ts'

/** The chat completions format in a server's dialect. */
export function chatFormat(server: ChatServer): Format {
  const { profile, dialect } = server
  const usage = dialect.asksForUsage ? { stream_options: { include_usage: true } } : {}
  return {
    profile,
    callIds: dialect.callIds,
    files: filesOf(server),
    path: '/chat/completions',
    list: 'choices',
    mayBeEmpty: false,
    request: (input) => chatRequest(input, server),
    streaming: (body) => ({ ...usage, ...body, stream: true }),
    ending: { wholeWith: isWholeChat, hasDone: true },
    wholeAsChunk: (answer) => answer,
    gather: () => new ChatAnswer(profile),
    message: (answer) => chatMessage(answer, profile),
  }
}

const TYPES: { readonly [kind in FileKind]: string } = {
  image: 'image/.+',
  audio: 'audio/(x-)?(wav|mpeg|mp3)',
  pdf: 'application/pdf',
  document: '(application|text)/.+',
}

function filesOf({ profile, dialect }: ChatServer): Format['files'] {
  const types = dialect.files.map((kind) => TYPES[kind]).join('|')
  return {
    types: new RegExp(`^(${types || '$'})$`),
    largest: dialect.largestFile,
    isKept: (file) => spokenIn(file, profile) !== undefined,
    faultOf: (file) => (isOutOfReach(file, dialect) ? onlyInline('This chat API') : undefined),
  }
}

/** Whether a file has only an address, from which the API does not fetch it. */
function isOutOfReach(file: FilePart, { urls }: ChatServer['dialect']): boolean {
  if (file.data !== undefined) return false
  const kind = isImage(file) ? 'image' : 'document'
  return !urls.includes(kind) || file.mediaType.startsWith('audio/')
}
