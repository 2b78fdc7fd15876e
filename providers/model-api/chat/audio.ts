import { type FilePart, isObject, type JsonObject, type Part } from '@braidwork/plugin'
import { factsOf, ownFacts } from '../content.ts'
import { defined, tell, textIn, without } from '../json.ts'
import type { Profile } from '../profile.ts'

/** The audio of a streamed answer. Each piece of its data is encoded by itself. */
export class AudioPieces {
  readonly #facts: { [key: string]: unknown } = {}
  readonly #data: Buffer[] = []

  get count(): number {
    return this.#data.length
  }

  add(audio: JsonObject): void {
    tell(this.#facts, without(audio, 'data', 'transcript'))
    const data = textIn(audio['data'])
    if (data !== undefined) this.#data.push(Buffer.from(data, 'base64'))
  }

  /** The audio as in an answer without streaming. Undefined if there was none. */
  whole(transcript: string | undefined): JsonObject | undefined {
    if (this.count === 0 && Object.keys(this.#facts).length === 0) return undefined
    const data = Buffer.concat(this.#data).toString('base64')
    return { ...this.#facts, ...defined({ data, transcript }) }
  }
}

/** By the start of data in base64. An answer does not say its format. */
const FORMATS: readonly (readonly [start: RegExp, mediaType: string])[] = [
  [/^UklGR/, 'audio/wav'],
  [/^(SUQz|\/\/[I-Po-v])/, 'audio/mpeg'],
  [/^ZkxhQ/, 'audio/flac'],
  [/^T2dnUw/, 'audio/ogg'],
]

/** The text that a model spoke. */
export function transcriptPart({ audio }: JsonObject, profile: Profile): readonly Part[] {
  const text = isObject(audio) ? textIn(audio['transcript']) : undefined
  if (!isObject(audio) || text === undefined) return []
  return [{ type: 'text', text, providerMetadata: audioFacts(audio, profile) }]
}

/** What a model spoke. Data without a known start has the type `audio/pcm`, which is all that streams have. */
export function audioPart({ audio }: JsonObject, profile: Profile): readonly FilePart[] {
  const data = isObject(audio) ? textIn(audio['data']) : undefined
  if (!isObject(audio) || data === undefined) return []
  const mediaType = FORMATS.find(([start]) => start.test(data))?.[1] ?? 'audio/pcm'
  return [{ type: 'file', mediaType, data, providerMetadata: audioFacts(audio, profile) }]
}

function audioFacts({ id, expires_at }: JsonObject, profile: Profile) {
  return ownFacts({ audio: defined({ id, expires_at }) }, profile)
}

/** The facts of a part of an answer that was spoken. */
export function spokenIn(part: Part, profile: Profile): JsonObject | undefined {
  const audio = factsOf(part, profile)?.['audio']
  return isObject(audio) ? audio : undefined
}

/** The name by which the server still has the audio of an answer. After that, only its transcript goes back. */
export function keptAudio(
  parts: readonly Part[],
  profile: Profile,
  now = Date.now(),
): JsonObject | undefined {
  for (const part of parts) {
    const { id, expires_at: end } = spokenIn(part, profile) ?? {}
    const isKept = typeof end !== 'number' || end * 1000 > now
    if (textIn(id) !== undefined && isKept) return { id }
  }
  return undefined
}
