import type { Message } from '@braidwork/plugin'
import { type Cut, chooseCut, cutsOf } from './cuts.ts'
import { leaveOut } from './leave-out.ts'
import { type Room, shown } from './room.ts'

/** Messages with their token counts. */
export interface Counted {
  readonly messages: readonly Message[]
  readonly sizes: readonly number[]
  /** The tokens of everything sent in addition to the messages. */
  readonly beside: number
  readonly room: Room
  /** How many of the newest messages are kept for as long as they fit. */
  readonly recent: number
  /** The note for the model at a cut, with its token count. */
  readonly note: { readonly text: string; readonly tokens: number }
}

/**
 * If messages must be removed, up to this share of the room is freed, so that the cut does not move with every new
 * message.
 */
const FREED = 0.5

/**
 * Removes the oldest messages until the rest fits.
 * @throws CONTEXT_OVERFLOW
 */
export function fit(counted: Counted): readonly Message[] {
  const { messages, sizes, beside, room, recent, note } = counted
  const total = beside + sumOf(sizes)
  if (total <= room.tokens) return messages
  const least = total + note.tokens - room.tokens
  const free = room.tokens - beside - note.tokens - sizeOfSystem(counted)
  const cuts = cutsOf(messages, sizes)
  const most = least + Math.max(0, free * FREED)
  const older = cuts.filter(({ from }) => from <= messages.length - recent)
  const cut = chooseCut(older, least, most) ?? chooseCut(cuts, least, most)
  if (cut === undefined) throw overflow(counted, cuts.at(-1))
  return leaveOut(messages, cut, note.text)
}

export function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0)
}

function sizeOfSystem({ messages, sizes }: Counted): number {
  return sumOf(sizes.filter((_, at) => messages[at]?.role === 'system'))
}

function overflow(counted: Counted, last: Cut | undefined): Error {
  const { sizes, beside, room } = counted
  const system = sizeOfSystem(counted)
  const newest = sumOf(sizes) - system - (last?.tokens ?? 0)
  const message =
    `The newest messages do not fit: about ${shown(newest)} tokens, beside ${shown(system)} of system messages ` +
    `and ${shown(beside)} of tools, where there is room for ${shown(room.tokens)} (${room.why}). Shorten them, ` +
    'lower "limits.tool_result_bytes", or choose a model with a larger context window.'
  return Object.assign(new Error(message), { code: 'CONTEXT_OVERFLOW', retryable: false })
}
