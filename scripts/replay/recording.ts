import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Api, contentOf, contentOfAll } from './content.ts'
import { piecesIn, type StreamPiece, streamText } from './envelope.ts'
import { type Place, placeOf } from './place.ts'
import type { Reply } from './replay-server.ts'
import { jsonReply, streamReply } from './replies.ts'
import { splitAnswers } from './split-answers.ts'

/** One answer of a model API as it was recorded. */
export interface Recording {
  /** The file's path, and which answer of it where it has several. */
  readonly name: string
  readonly api: Api
  readonly mode: 'stream' | 'send'
  /** A stream's events, one JSON text each; or the whole body. */
  readonly lines: readonly string[]
  /** The body as it is sent. */
  readonly text: string
  readonly isError: boolean
}

/** A file of recorded answers. */
export interface RecordingFile {
  /** From the folder that was asked for, with `/`. */
  readonly path: string
  /** Who is to read it; nothing where it cannot be read as a recording. */
  readonly place?: Place
  readonly answers: readonly Recording[]
  /** Why it cannot be read as a recording. */
  readonly fault?: string
}

const KINDS = /\.(json|sse|chunks\.txt)$/

/** The files of recordings below a folder, sorted by path; those of other APIs are left out. */
export function recordingsBelow(folder: string): readonly RecordingFile[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory() && KINDS.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort((left, right) => (left < right ? -1 : 1))
    .flatMap((path) => readRecording(folder, path) ?? [])
}

/** How the API answered. */
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

/** Text without a byte-order mark. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '')
}
