import type { Context, Message, ToolCallPart, ToolResultPart } from '@braidwork/plugin'
import { type Room, shown } from './room.ts'

type Report = Context['report']

/** Only so many of the newest shortened results are reported by name. */
const MOST_NAMES = 20

/** Reports a call that was answered because it had no result. */
export function reportAnswered({ name, callId }: ToolCallPart, report: Report): void {
  const reason = 'the call has no result; the model is told so'
  report({ kind: 'history', ref: `result of ${name} (${callId})`, status: 'missing', reason })
}

/** The messages before and after what was done to them. */
interface Change {
  readonly before: readonly Message[]
  readonly after: readonly Message[]
}

/** Reports the results of which the model is shown only a part. */
export function reportShortened({ before, after }: Change, report: Report): void {
  const short = after.flatMap(({ parts }, at) =>
    parts.filter(
      (part, index): part is ToolResultPart =>
        part.type === 'tool-result' && part !== before[at]?.parts[index],
    ),
  )
  const reason = 'it is long; the model can read the rest with "read_result"'
  const named = short.slice(-MOST_NAMES)
  const others = short.length - named.length
  const refs = named.map(({ name, callId }) => `result of ${name} (${callId})`)
  for (const ref of others > 0 ? [`${others} earlier results`, ...refs] : refs) {
    report({ kind: 'history', ref, status: 'shortened', reason })
  }
}

/** Reports the messages that were left out for the others to fit. */
export function reportLeftOut({ before, after }: Change, room: Room, report: Report): void {
  const left = before.length - after.length
  if (left === 0) return
  const reason = `there is room for ${shown(room.tokens)} tokens (${room.why})`
  report({ kind: 'history', ref: `${left} oldest messages`, status: 'left_out', reason })
}
