import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Api, contentOf, contentOfAll } from './content.ts'
import { piecesIn, type StreamPiece, streamText } from './envelope.ts'
import { type Place, placeOf } from './place.ts'
import type { Reply } from './replay-server.ts'
import { jsonReply, streamReply } from './replies.ts'
import { splitAnswers } from './split-answers.ts'

/** One recorded answer of a model API. */
export interface Recording {
  /** The file's path, with the number of the answer if the file has several. */
  readonly name: string
  readonly api: Api
  readonly mode: 'stream' | 'send'
  /** The events of a stream, as JSON texts; or the whole body. */
  readonly lines: readonly string[]
  /** The body as it is sent. */
  readonly text: string
  readonly isError: boolean
}

/** A file with recorded answers. */
export interface RecordingFile {
  /** The path relative to the given folder, with `/`. */
  readonly path: string
  /** The provider that reads it; absent if the file is not a readable recording. */
  readonly place?: Place
  readonly answers: readonly Recording[]
  /** Why the file is not a readable recording. */
  readonly fault?: string
}

const KINDS = /\.(json|sse|chunks\.txt)$/

/** The recording files below a folder, sorted by path, without those of unsupported APIs. */
export function recordingsBelow(folder: string): readonly RecordingFile[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory() && KINDS.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort((left, right) => (left < right ? -1 : 1))
    .flatMap((path) => readRecording(folder, path) ?? [])
}

/** The response of the API. */
export function replyOf({ mode, text, isError }: Recording): Reply {
  return mode === 'stream' ? streamReply(text) : jsonReply(text, { status: isError ? 400 : 200 })
}

function readRecording(folder: string, path: string): RecordingFile | undefined {
  if (!placeOf(path, 'unknown')) return undefined
  try {
    const text = readFileSync(join(folder, path), 'utf8')
    if (text.trim() === '') throw new Error('the file is empty')
    return path.endsWith('.json') ? bodyIn(path, text) : streamIn(path, text)
  } catch (error) {
    return { path, answers: [], fault: error instanceof Error ? error.message : String(error) }
  }
}

function bodyIn(path: string, text: string): RecordingFile | undefined {
  const content = contentOf(JSON.parse(withoutMark(text)))
  const place = placeOf(path, content)
  if (!place) return undefined
  const isError = content === 'error'
  const answer = { name: path, api: place.api, mode: 'send', lines: [text], text, isError } as const
  return { path, place, answers: [answer] }
}

function streamIn(path: string, text: string): RecordingFile | undefined {
  const hasEnvelope = path.endsWith('.sse')
  const pieces = hasEnvelope ? piecesIn(text) : linesIn(text).map((data) => ({ text: '', data }))
  const place = placeOf(path, contentOfAll(pieces.map(({ data }) => data)))
  if (!place) return undefined
  const answers = splitAnswers(place.api, pieces)
  const named = answers.map((answer, index): Recording => {
    const name = answers.length > 1 ? `${path}#${index + 1}` : path
    return { name, ...recordedStream(place.api, answer, hasEnvelope) }
  })
  return { path, place, answers: named }
}

function recordedStream(
  api: Api,
  pieces: readonly StreamPiece[],
  hasEnvelope: boolean,
): Omit<Recording, 'name'> {
  const lines = pieces.map(({ data }) => data)
  const text = hasEnvelope ? pieces.map((piece) => piece.text).join('') : streamText(api, lines)
  return { api, mode: 'stream', lines, text, isError: false }
}

function linesIn(text: string): readonly string[] {
  return withoutMark(text)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
}

/** The text without a byte order mark. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '')
}
