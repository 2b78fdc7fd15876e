import type { Recording } from '../../../scripts/replay/recording.ts'
import { ownFiles, sharedFiles } from '../../helpers/recordings.ts'

export { hasShared } from '../../helpers/recordings.ts'
export type { Recording }

const ofOpenAI = () => sharedFiles().filter(({ place }) => place?.provider === 'openai')

/** Recordings of other people, where they are there. */
export function sharedRecordings(): readonly Recording[] {
  return ofOpenAI().flatMap(({ answers }) => answers)
}

/** Our own, which every clone has. */
export function ownRecordings(): readonly Recording[] {
  return ownFiles('openai').flatMap(({ answers }) => answers)
}

/** Files with several answers, each as one stream. */
export function joinedRecordings(): readonly Recording[] {
  return ofOpenAI()
    .filter(({ answers }) => answers.length > 1)
    .map(({ path, answers }): Recording => {
      const lines = answers.flatMap((answer) => answer.lines)
      const text = answers.map((answer) => answer.text).join('')
      return { name: path, api: 'responses', mode: 'stream', lines, text, isError: false }
    })
}

export function ownRecording(name: string): Recording {
  const found = ownRecordings().find((recording) => recording.name === name)
  if (!found) throw new Error(`no recording ${name}`)
  return found
}
