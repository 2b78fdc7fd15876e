import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Recording, recordingsBelow } from '../../../scripts/replay/recording.ts'

const SHARED = fileURLToPath(new URL('../../../../shared/recordings/', import.meta.url))
const OWN = fileURLToPath(new URL('./', import.meta.url))

/** A recorded answer, and the preset of the server that gave it. */
export interface PlacedRecording extends Recording {
  readonly preset?: string
}

export const hasShared = existsSync(SHARED)

/** Answers of OpenAI-compatible servers: other people's, where they are there, and our own. */
export function recordings(): readonly PlacedRecording[] {
  const files = [...(hasShared ? recordingsBelow(SHARED) : []), ...recordingsBelow(OWN)]
  return files.flatMap(({ place, answers }) =>
    place?.provider === 'openai-compatible'
      ? answers.map((answer) => ({ ...answer, ...presetOf(place) }))
      : [],
  )
}

function presetOf({ preset }: { readonly preset?: string }): { readonly preset?: string } {
  return preset === undefined ? {} : { preset }
}
