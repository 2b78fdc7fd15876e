import { historyOfNodes, type NewEntry, openCalls, type PathNode } from '@braidwork/agent/internal'
import { HostError, type Message, type ToolResultPart, type Usage } from '@braidwork/plugin'
import { resultsIn, unansweredIn, withUsage } from '../unanswered.ts'
import type { WireRequest } from '../wire/index.ts'
import { entryOf, withoutId } from './new-entries.ts'
import { isAnswer, isAsked, openAnswerId } from './path.ts'
import { newMessages, type PlannedPath } from './planned-path.ts'

/** Append the entries below `parent` (default: the head), then start a run. */
export interface RunPlan {
  readonly kind: 'run'
  readonly entries: readonly NewEntry[]
  readonly parent?: string | null
  /** All messages for the model. */
  readonly messages: readonly Message[]
  /** The id of the response that continues, if the request brought results for its calls. */
  readonly answerId?: string
}

/** The last message of the request has an answer: give it once more, or start a run for another one. */
export interface AnsweredPlan {
  readonly kind: 'answered'
  /** The run that wrote the end of the answer. Absent if it came from elsewhere, such as an imported history. */
  readonly runId?: string
  /** Whether the conversation has gone on after the answer. */
  readonly isPassed: boolean
  readonly again: RunPlan
}

/** How the server handles a request in a known conversation. */
export type Plan =
  | RunPlan
  | AnsweredPlan
  /** Append the results of the client's calls, and start no run: other calls of their step wait for a person. */
  | { readonly kind: 'results'; readonly entries: readonly NewEntry[] }
  /** Start no run: the request brings only answers to approvals, or nothing new. */
  | { readonly kind: 'nothing-new' }

export interface PlanInput extends PlannedPath {
  readonly request: WireRequest
  /** Where the request has the id of its message, in a protocol in which no message can be changed. */
  readonly unchangeable?: string | undefined
  /** The ids of calls that the open run asked a person about. The client cannot answer these with a result. */
  readonly awaiting: ReadonlySet<string>
  /** What the open run used, as far as no message tells it. AL-22 */
  readonly untold: Usage
  readonly newId: () => string
}

/**
 * Decides how to handle a request. Of the history in the request, only new user messages and results of the
 * client's open calls count; for everything else the stored history is authoritative.
 * @throws {HostError} MESSAGES_INVALID; REQUEST_INVALID for a changed message in a protocol without changes
 */
export function planTurn(input: PlanInput): Plan {
  const { regenerate } = input.request
  const edited = editedMessage(input)
  if (edited && input.unchangeable !== undefined) throw idTaken(edited, input.unchangeable)
  if (edited) return planEdit(input, edited)
  if (regenerate && !input.isNew)
    return planRegenerate(input, regenerate.messageId ?? knownLast(input))
  const asked = newMessages(input.request.messages, input.knownIds)
  const results = newResults(input)
  if (asked.length > 0) return planNext(input, asked, results)
  if (results.length > 0) return planResults(input, results)
  return isUnanswered(input.path) ? planAgain(input) : planAnswered(input)
}

/** Finds the answer to the last message of a request that brings nothing new. */
function planAnswered(input: PlanInput): Plan {
  const { path, request } = input
  const last = request.messages.findLast(({ role }) => role !== 'system')
  const isLast = ({ message }: PathNode) => message?.id !== undefined && message.id === last?.id
  const at = last?.role === 'user' ? path.findIndex(isLast) : -1
  if (at < 0) return { kind: 'nothing-new' }
  const next = path.findIndex((node, index) => index > at && isAsked(node))
  const answer = path.slice(at + 1, next < 0 ? path.length : next)
  const runId = answer.findLast((node) => node.runId !== undefined)?.runId
  return {
    kind: 'answered',
    ...(runId === undefined ? {} : { runId }),
    isPassed: next >= 0,
    again: planRegenerate(input, last?.id),
  }
}

function planAgain({ path, parent }: PlanInput): Plan {
  const answerId = openAnswerId(messagesOn(path))
  return {
    kind: 'run',
    entries: [],
    ...(parent === undefined ? {} : { parent }),
    messages: historyOfNodes(path),
    ...(answerId === undefined ? {} : { answerId }),
  }
}

/**
 * Whether the model has yet to answer what was last given to it, for example because its run failed: the user's message,
 * or the last of the results that its answer waited for.
 */
function isUnanswered(path: readonly PathNode[]): boolean {
  const last = path.findLast(({ message }) => message)
  if (last?.message?.role === 'user') return true
  if (last?.message?.role !== 'tool' || last.runId !== undefined || last.origin) return false
  return openCalls(messagesOn(path)).length === 0
}

/** Goes on with the results of the client's calls, unless a call of their step still waits for a person. */
function planResults(input: PlanInput, results: readonly ToolResultPart[]): Plan {
  const { path, awaiting, newId } = input
  const isWaiting = openCalls(messagesOn(path)).some(({ callId }) => awaiting.has(callId))
  if (!isWaiting) return planNext(input, [], results)
  return { kind: 'results', entries: [entryOf({ role: 'tool', parts: results }, newId)] }
}

function planNext(
  { path, parent, newId, untold }: PlanInput,
  asked: readonly Message[],
  results: readonly ToolResultPart[],
): Plan {
  const answered: readonly Message[] = results.length > 0 ? [{ role: 'tool', parts: results }] : []
  const soFar = [...messagesOn(path), ...answered]
  const added = [...answered, ...withUsage(unansweredIn(soFar), untold), ...asked]
  const answerId = asked.length === 0 ? openAnswerId(messagesOn(path)) : undefined
  return {
    kind: 'run',
    entries: added.map((message) => entryOf(message, newId)),
    ...(parent === undefined ? {} : { parent }),
    messages: [...historyOfNodes(path), ...added.map(withoutId)],
    ...(answerId === undefined ? {} : { answerId }),
  }
}

/** Drops the response that a message belongs to, and sends the user message before it again. */
function planRegenerate({ path }: PlanInput, messageId: string | undefined): RunPlan {
  const at = messageId === undefined ? path.length - 1 : placeOf(messageId, path)
  if (at < 0) {
    throw new HostError('MESSAGES_INVALID', `There is no message "${messageId}" to regenerate.`, {
      pointer: '/messageId',
    })
  }
  const askedAt = path.findLastIndex(
    ({ message }, index) => index <= at && message && !isAnswer(message),
  )
  const kept = path.slice(0, askedAt + 1)
  const parent = kept.at(-1)?.entryId ?? null
  return { kind: 'run', entries: [], parent, messages: historyOfNodes(kept) }
}

/** The place of a message. A client that shows an answer as several messages may name one by an id made from its id. */
function placeOf(messageId: string, path: readonly PathNode[]): number {
  const at = path.findIndex(({ message }) => message?.id === messageId)
  if (at >= 0) return at
  return path.findLastIndex(
    ({ message }) => message?.id !== undefined && messageId.startsWith(`${message.id}.`),
  )
}

/** A changed user message becomes a sibling of the stored one, that is, a new branch. */
function planEdit({ path, newId }: PlanInput, edited: Message): Plan {
  const at = path.findIndex(({ message }) => message?.id === edited.id)
  const kept = path.slice(0, at)
  return {
    kind: 'run',
    entries: [entryOf(edited, newId)],
    parent: path[at]?.parent ?? null,
    messages: [...historyOfNodes(kept), withoutId(edited)],
  }
}

function editedMessage({ path, request }: PlanInput): Message | undefined {
  const last = request.messages.at(-1)
  if (last?.role !== 'user' || last.id === undefined) return undefined
  const known = path.find(({ message }) => message?.id === last.id)?.message
  if (known?.role !== 'user') return undefined
  // A client that asks for another answer may have its own form of the message.
  const told = request.regenerate ? textsOf : partsOf
  return told(known) === told(last) ? undefined : last
}

function textsOf({ parts }: Message): string {
  return JSON.stringify(parts.flatMap((part) => (part.type === 'text' ? part.text : [])))
}

function partsOf({ parts }: Message): string {
  return JSON.stringify(parts)
}

/** The id of the last message of a request, if the path has it. */
function knownLast({ path, request }: PlanInput): string | undefined {
  const last = request.messages.at(-1)
  return path.some(({ message }) => message?.id === last?.id) ? last?.id : undefined
}

function idTaken({ id = '' }: Message, pointer: string): HostError {
  const message = `Another message of the conversation has the id "${id.slice(0, 100)}". Give each message an id of its own.`
  return new HostError('REQUEST_INVALID', message, { pointer })
}

/** Returns the results for open calls of the client's tools. */
function newResults({ request, path, awaiting }: PlanInput): readonly ToolResultPart[] {
  const open = new Map(openCalls(messagesOn(path)).map((call) => [call.callId, call]))
  const results = new Map<string, ToolResultPart>()
  for (const part of resultsIn(request.messages)) {
    const call = open.get(part.callId)
    if (!call || awaiting.has(part.callId) || results.has(part.callId)) continue
    const { callId, output, isError } = part
    results.set(callId, {
      type: 'tool-result',
      callId,
      name: call.name,
      output,
      ...(isError ? { isError } : {}),
    })
  }
  return [...results.values()]
}

function messagesOn(path: readonly PathNode[]): readonly Message[] {
  return path.flatMap(({ message }) => message ?? [])
}
