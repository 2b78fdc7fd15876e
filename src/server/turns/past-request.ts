import { type EntryOrigin, isOfHost, type PathNode } from '@braidwork/agent/internal'
import { HostError } from '@braidwork/plugin'
import { isAnswer } from './path.ts'

/** A request to the model, at its place in a conversation. */
export interface PastRequest {
  /** The path before the answer. */
  readonly before: readonly PathNode[]
  /** The run that sent it, if the conversation has one for it. */
  readonly runId?: string
  /** Of an answer that a branch copied: the run that sent the request. */
  readonly origin?: EntryOrigin
  /** The number of the request in its answer, and that of the last one. */
  readonly step: number
  readonly lastStep: number
}

export interface PastRequestQuery {
  /** A message of the answer, or the message that was answered. The default is the last one. */
  readonly messageId?: string | undefined
  /** The number of the request in the answer. The default is the one that the message answers. */
  readonly step?: number | undefined
}

/**
 * Finds the request whose answer a message of a conversation's path is part of.
 * @throws {HostError} ENTRY_UNKNOWN, REQUEST_INVALID
 */
export function pastRequest(
  path: readonly PathNode[],
  { messageId, step: given }: PastRequestQuery,
): PastRequest {
  const at = placeOf(path, messageId)
  const asked = path.findLastIndex((node, index) => index <= at && isAsked(node))
  const next = path.findIndex((node, index) => index > Math.max(asked, at) && isAsked(node))
  const end = next < 0 ? path.length : next
  const answers = [...path.keys()].filter(
    (index) => index > asked && index < end && path[index]?.message?.role === 'assistant',
  )
  const lastStep = Math.max(1, answers.length)
  const step = given ?? Math.max(1, answers.filter((index) => index <= at).length)
  if (step > lastStep) {
    const message = `The answer has no request ${step}: its last one is ${lastStep}.`
    throw new HostError('REQUEST_INVALID', message, { pointer: '/step' })
  }
  const answer = answers[step - 1]
  const { runId, origin } = (answer === undefined ? undefined : path[answer]) ?? {}
  const before = path.slice(0, answer ?? asked + 1)
  const sender = { ...(runId === undefined ? {} : { runId }), ...(origin ? { origin } : {}) }
  return { before, ...sender, step, lastStep }
}

/** @throws {HostError} ENTRY_UNKNOWN */
function placeOf(path: readonly PathNode[], messageId: string | undefined): number {
  const at = path.findLastIndex(
    ({ message }) => message && (messageId === undefined || message.id === messageId),
  )
  if (at >= 0) return at
  if (messageId === undefined) {
    throw new HostError('ENTRY_UNKNOWN', 'The conversation has no messages yet.')
  }
  const message = `There is no message "${messageId.slice(0, 100)}".`
  throw new HostError('ENTRY_UNKNOWN', message, { pointer: '/messageId' })
}

/** Whether a person said it. What the host inserts in the middle of an answer is part of that answer. */
function isAsked({ message }: PathNode): boolean {
  return message !== undefined && !isAnswer(message) && !isOfHost(message)
}
