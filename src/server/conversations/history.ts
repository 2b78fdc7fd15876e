import type { Approval, Conversation, Entry, Storage, StoredRun } from '@braidwork/agent'
import { shownMessages } from '@braidwork/agent/internal'
import { ownTurn } from '@braidwork/core/internal'
import { HostError, isObject, type Message } from '@braidwork/plugin'
import type { Services } from '../context.ts'
import { sdkVersionOf } from '../sdk-version.ts'
import { isAnswer } from '../turns/index.ts'
import { AgUiHistory, interruptOf } from '../wire/ag-ui/index.ts'
import { defined, type RunFacts } from '../wire/index.ts'
import { toUiMessages } from '../wire/ui-message-stream/index.ts'
import { factsByMessage, runsOfOrigins } from './message-facts.ts'
import {
  endingsOf,
  type ShownEnding,
  type ShownRuns,
  shownRunsOf,
  type WrittenMessage,
} from './shown-runs.ts'
import { withUntold } from './untold.ts'
import { pathTo, type ShownVersions, versionsOf } from './versions.ts'

/** After this many messages, serializing yields to the event loop. */
const AT_ONCE = 200

/** A conversation's history in the form of a chat page, and the state of its runs. */
export interface ShownHistory {
  /** The messages as JSON text of an array. The array may be long, so it is serialized in parts. */
  readonly messages: string
  /** The versions of the messages that have several. */
  readonly versions?: readonly ShownVersions[]
  /** The answers whose runs did not end as they should. */
  readonly endings?: readonly ShownEnding[]
  readonly runs: ShownRuns
  /** For AG-UI: what the open run waits for a person with. */
  readonly interrupts?: readonly object[]
}

/** How a history is written. */
export interface HistoryFormat {
  /** The version of the AI SDK. */
  readonly sdk?: string | undefined
  /** `ag-ui` for messages of AG-UI. The default is those of the AI SDK. */
  readonly format?: string | undefined
}

/** Returns the shown path of a conversation. @throws {HostError} REQUEST_INVALID for an unknown format */
export async function historyFor(
  { owner, id, head }: Conversation,
  services: Services,
  { sdk: version, format }: HistoryFormat,
): Promise<ShownHistory> {
  assertFormat(format)
  const { storage } = services
  const all = await storage.conversations.entries(owner, id)
  const entries = pathTo(all, head)
  const runs = await storage.runs.list(owner, id)
  const open = await storage.runs.open(owner, id)
  const approvals = await approvalsOf(entries, runs, storage)
  const nodes = await withUntold(shownMessages(entries), open, storage)
  const allRuns = [...runs, ...(await runsOfOrigins(nodes, owner, storage))]
  const ofMessage = factsByMessage(nodes, allRuns)
  const factsOf = (message: Message) => ofMessage.get(message)
  const messages = nodes.map(({ message }) => message)
  const shownRuns = await shownRunsOf(runs, open, services)
  if (format !== undefined) {
    const waiting = approvals.filter(({ runId, answer }) => runId === open?.id && !answer)
    return agUiHistory(messages, { factsOf, runs: shownRuns, waiting })
  }
  const known = {
    factsOf,
    approvals: approvals.map(knownApproval),
    ...defined({ sdk: sdkVersionOf(version) }),
  }
  const { text, shown } = await written(messages, (some) => toUiMessages(some, known))
  const ids = shown.map((one) => one.id)
  const endings = await endingsOf(shown, allRuns, services)
  const told = { versions: versionsOf(all, entries, ids), endings }
  return { messages: text, runs: shownRuns, ...withoutEmpty(told) }
}

interface AgUiParts {
  readonly factsOf: (message: Message) => RunFacts | undefined
  readonly runs: ShownRuns
  readonly waiting: readonly Approval[]
}

async function agUiHistory(
  messages: readonly Message[],
  { factsOf, runs, waiting }: AgUiParts,
): Promise<ShownHistory> {
  const history = new AgUiHistory(factsOf)
  const { text } = await written(messages, (some) => history.add(some))
  return { messages: text, runs, interrupts: waiting.map((one) => interruptOf(knownApproval(one))) }
}

/** The lists that have an entry. */
function withoutEmpty<T extends { readonly [name: string]: readonly unknown[] }>(
  lists: T,
): Partial<T> {
  return Object.fromEntries(
    Object.entries(lists).filter(([, list]) => list.length > 0),
  ) as Partial<T>
}

/** @throws {HostError} REQUEST_INVALID */
function assertFormat(format: string | undefined): void {
  if (format === undefined || format === 'ag-ui') return
  throw new HostError('REQUEST_INVALID', '"format" must be "ag-ui".', { pointer: '/format' })
}

/** Serializes messages for a client, and yields to the event loop between parts. */
async function written(
  messages: readonly Message[],
  convert: (some: readonly Message[]) => readonly ConvertedMessage[],
): Promise<{ readonly text: string; readonly shown: readonly WrittenMessage[] }> {
  const texts: string[] = []
  const all: WrittenMessage[] = []
  for (const some of wholeAnswers(messages)) {
    if (texts.length > 0) await ownTurn()
    const shown = convert(some)
    texts.push(...shown.map((message) => JSON.stringify(message)))
    all.push(...shown.map(({ id, metadata }) => ({ id, runId: runIdIn(metadata) })))
  }
  return { text: `[${texts.join(',')}]`, shown: all }
}

interface ConvertedMessage {
  readonly id: string
  readonly metadata?: unknown
}

function runIdIn(metadata: unknown): unknown {
  return isObject(metadata) ? metadata['runId'] : undefined
}

/** Splits messages into batches. A batch never ends in the middle of a response. */
function* wholeAnswers(messages: readonly Message[]): Generator<readonly Message[]> {
  let some: Message[] = []
  for (const message of messages) {
    if (some.length >= AT_ONCE && !isAnswer(message)) {
      yield some
      some = []
    }
    some.push(message)
  }
  yield some
}

/** Loads the approvals of the runs on a path. Only a suspended run and a run with an earlier leg can have some. */
async function approvalsOf(
  entries: readonly Entry[],
  runs: readonly StoredRun[],
  { approvals }: Storage,
): Promise<readonly Approval[]> {
  const ids = new Set(entries.map(({ runId }) => runId))
  const asked = runs.filter(
    ({ id, status, legSeq }) => ids.has(id) && (legSeq > 0 || status === 'suspended'),
  )
  return (await Promise.all(asked.map(({ owner, id }) => approvals.list(owner, id)))).flat()
}

function knownApproval(approval: Approval) {
  const { id, callId, tool: name, input, expiresAt, answer, isQuestion } = approval
  const { approved = false, reason, value } = answer ?? {}
  return {
    approvalId: id,
    callId,
    name,
    input,
    expiresAt: new Date(expiresAt).toISOString(),
    ...(isQuestion ? { isQuestion } : {}),
    ...(answer ? { answer: { approved, ...defined({ reason, value }) } } : {}),
  }
}
