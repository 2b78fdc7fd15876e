import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type RecordingFile, recordingsBelow } from '../../scripts/replay/recording.ts'

/** Recordings of other people, beside the project. */
export const SHARED = fileURLToPath(new URL('../../../shared/recordings/', import.meta.url))

export const hasShared = existsSync(SHARED)

export const SHARED_IS_MISSING = ' (skipped: ../shared/recordings is missing)'

let shared: readonly RecordingFile[] | undefined

/** The files of recordings of other people, where they are there. */
export function sharedFiles(): readonly RecordingFile[] {
  shared ??= hasShared ? recordingsBelow(SHARED) : []
  return shared
}

/** Our own, which every clone has. */
export function ownFiles(provider: string): readonly RecordingFile[] {
  const folder = new URL(`../providers/${provider}/fixtures/`, import.meta.url)
  return existsSync(folder) ? recordingsBelow(fileURLToPath(folder)) : []
}
