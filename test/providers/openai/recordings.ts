import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const SHARED = new URL('../../../../shared/recordings/', import.meta.url)
const OWN = new URL('./fixtures/', import.meta.url)

/** One answer of a model API as it was recorded. */
export interface Recording {
  readonly name: string
  readonly api: 'chat' | 'responses'
  readonly mode: 'stream' | 'send'
  /** A stream's events, one JSON text each; or the whole body. */
  readonly lines: readonly string[]
}

const FOLDERS: readonly { folder: string; api: Recording['api'] }[] = [
  { folder: 'openai/chat', api: 'chat' },
  { folder: 'openai/responses', api: 'responses' },
  { folder: 'open-responses/responses', api: 'responses' },
  { folder: 'xai/responses', api: 'responses' },
]

export const hasShared = existsSync(fileURLToPath(SHARED))

/** Recordings of other people, where they are there. */
export function sharedRecordings(): readonly Recording[] {
  if (!hasShared) return []
  return FOLDERS.flatMap(({ folder, api }) =>
    recordingsIn(new URL(`${folder}/`, SHARED), folder, api),
  )
}

/** Our own, which every clone has. */
export function ownRecordings(): readonly Recording[] {
  return (['chat', 'responses'] as const).flatMap((api) =>
    recordingsIn(new URL(`${api}/`, OWN), api, api),
  )
}

/** Files with several answers, each as one stream. */
export function joinedRecordings(): readonly Recording[] {
  const parts = sharedRecordings().filter(({ name }) => name.includes('#'))
  const names = [...new Set(parts.map(({ name }) => name.replace(/#.*/, '')))]
  return names.map((name): Recording => {
    const lines = parts
      .filter((part) => part.name.startsWith(`${name}#`))
      .flatMap((part) => part.lines)
    return { name, api: 'responses', mode: 'stream', lines }
  })
}

export function ownRecording(name: string): Recording {
  const found = ownRecordings().find((recording) => recording.name === name)
  if (!found) throw new Error(`no recording ${name}`)
  return found
}

function recordingsIn(folder: URL, label: string, api: Recording['api']): readonly Recording[] {
  if (!existsSync(fileURLToPath(folder))) return []
  return readdirSync(fileURLToPath(folder))
    .sort()
    .flatMap((file): readonly Recording[] => {
      const text = readFileSync(new URL(file, folder), 'utf8')
      const name = `${label}/${file}`
      if (file.endsWith('.json')) return [{ name, api, mode: 'send', lines: [text] }]
      if (!file.endsWith('.chunks.txt')) return []
      const answers = answersIn(text.split('\n').filter((line) => line.trim() !== ''))
      return answers.map((lines, index) => ({
        name: answers.length > 1 ? `${name}#${index + 1}` : name,
        api,
        mode: 'stream',
        lines,
      }))
    })
}

/** Some files hold several answers one after the other. */
function answersIn(lines: readonly string[]): readonly (readonly string[])[] {
  const answers: string[][] = []
  for (const line of lines) {
    if (answers.length === 0 || /"type":\s*"response\.created"/.test(line)) answers.push([])
    answers.at(-1)?.push(line)
  }
  return answers
}
