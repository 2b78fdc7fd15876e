import type { Environment, Resumption } from '../../agent/index.ts'
import type { Approval, Conversation, Storage, StoredRun } from '../../agent/storage/index.ts'
import { HostError } from '../../errors.ts'
import type { ApprovalAnswer, WireRequest } from '../../wire/protocol.ts'
import type { Identity } from '../identity.ts'
import type { Catalogue } from '../published.ts'
import type { RunService } from '../run-service.ts'
import { historyOf, messagesOf } from './path.ts'
import { importHistory, type Plan, planTurn } from './plan.ts'

export interface TurnsParts {
  readonly storage: Storage
  readonly environment: Environment
  readonly runs: RunService
  readonly catalogue: Catalogue
  /** Milliseconds without a reader after which a run of a conversation is stopped. */
  readonly cancelAfter: number
}

/** A request of a protocol whose conversations the server keeps. */
export interface TurnRequest {
  readonly identity: Identity
  readonly protocol: string
  readonly request: WireRequest
  readonly idempotencyKey?: string
}

/** What a request comes to in its conversation: a run that begins, goes on, or is there already. */
export class Turns {
  readonly #parts: TurnsParts

  constructor(parts: TurnsParts) {
    this.#parts = parts
  }

  /**
   * The run whose present leg answers a request.
   * @throws {HostError} CONVERSATION_BUSY, CONVERSATION_UNKNOWN, MODEL_UNPUBLISHED, MESSAGES_INVALID, …
   */
  async take(turn: TurnRequest): Promise<StoredRun> {
    const { storage, environment, catalogue } = this.#parts
    const { identity, request } = turn
    const model = catalogue.find(identity, request.model).name
    const id = request.conversationId ?? environment.newId('conversation')
    const conversation = await storage.conversations.load(identity.id, id)
    return conversation
      ? this.#goOn({ ...turn, model, conversation })
      : this.#import({ ...turn, model }, id)
  }

  /**
   * An answer to an approval; the run goes on once all that it waits for are answered, or have expired.
   * @throws {HostError} APPROVAL_UNKNOWN
   */
  async answer(identity: Identity, given: ApprovalAnswer): Promise<Approval> {
    const approval = await this.#answer(identity, given)
    if (!approval) {
      const id = given.approvalId.slice(0, 100)
      throw new HostError('APPROVAL_UNKNOWN', `No approval "${id}" is open.`)
    }
    const run = await this.#parts.runs.find(identity, approval.runId)
    await this.#resume(identity, run)
    return approval
  }

  async #import(turn: ModelTurn, id: string): Promise<StoredRun> {
    const { storage, environment } = this.#parts
    const { identity, request } = turn
    const newId = () => environment.newId('message')
    const plan = importHistory(request.messages, newId)
    const now = environment.now()
    try {
      await storage.conversations.create(
        { id, owner: identity.id, agent: turn.model, sender: identity.id },
        now,
      )
    } catch (error) {
      // Somebody else's is not there; one's own, made a moment ago by the same request, is.
      const own = await storage.conversations.load(identity.id, id)
      if (!own) throw unknownConversation(error, id)
      return this.#goOn({ ...turn, conversation: own })
    }
    return this.#start({ ...turn, conversationId: id }, plan)
  }

  async #goOn(turn: KnownTurn): Promise<StoredRun> {
    const { storage, environment, runs } = this.#parts
    const { identity, request, conversation } = turn
    const { id } = conversation
    const entries = await storage.conversations.entries(identity.id, id)
    const path = messagesOf(await storage.conversations.history(identity.id, id))
    const open = await storage.runs.open(identity.id, id)
    const approvals = open ? await storage.approvals.list(open.id) : []
    const plan = planTurn({
      path,
      knownIds: new Set(messagesOf(entries).map(({ message }) => message.id as string)),
      request,
      awaiting: new Set(approvals.filter(({ answer }) => !answer).map(({ callId }) => callId)),
      newId: () => environment.newId('message'),
    })
    if (open?.status === 'active' && joins(plan)) return open
    if (plan.kind === 'run') return this.#start({ ...turn, conversationId: id }, plan)
    for (const answer of request.approvals) await this.#answer(identity, answer)
    const [last] = await storage.runs.list(identity.id, id)
    const run = open ?? last
    if (run) return (await this.#resume(identity, run)) ?? runs.find(identity, run.id)
    throw new HostError('MESSAGES_INVALID', 'The request brings nothing to answer.', {
      pointer: '/messages',
    })
  }

  #start(turn: ModelTurn & { readonly conversationId: string }, plan: RunPlan): Promise<StoredRun> {
    const { environment, runs, cancelAfter } = this.#parts
    const { identity, request, protocol, model, conversationId, idempotencyKey } = turn
    const { entries, parent, messages, answerId } = plan
    return runs.start({
      identity,
      conversationId,
      order: {
        protocol,
        model,
        messageId: answerId ?? environment.newId('message'),
        createdAt: environment.now(),
        settings: request.settings,
        tools: request.tools,
        asks: true,
      },
      messages,
      append: { entries, ...(parent === undefined ? {} : { parent }) },
      abandonAfter: cancelAfter,
      isStored: true,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    })
  }

  #answer(identity: Identity, given: ApprovalAnswer): Promise<Approval | undefined> {
    const { storage, environment } = this.#parts
    const { approvalId, approved, reason } = given
    return storage.approvals.answer(identity.id, approvalId, {
      approved,
      ...(reason === undefined ? {} : { reason }),
      answeredAt: environment.now(),
    })
  }

  /** Goes on with a suspended run, if nothing that it waits for is open any more. */
  async #resume(identity: Identity, run: StoredRun): Promise<StoredRun | undefined> {
    const { storage, environment, runs, cancelAfter } = this.#parts
    const { conversationId } = run
    if (run.status !== 'suspended' || conversationId === undefined) return undefined
    const approvals = await storage.approvals.list(run.id)
    const now = environment.now()
    if (approvals.some(({ answer, expiresAt }) => !answer && expiresAt > now)) return undefined
    const path = messagesOf(await storage.conversations.history(identity.id, conversationId))
    return runs.resume(identity, run, {
      messages: historyOf(path),
      resume: resumptionOf(run, approvals, await runs.stepsOf(run)),
      abandonAfter: cancelAfter,
    })
  }
}

type RunPlan = Extract<Plan, { readonly kind: 'run' }>
type ModelTurn = TurnRequest & { readonly model: string }
type KnownTurn = ModelTurn & { readonly conversation: Conversation }

/** Whether a request may be given the run that is active: it brings nothing that this one does not have. */
function joins(plan: Plan): boolean {
  return plan.kind === 'nothing-new' || (plan.entries.length === 0 && plan.parent === undefined)
}

function resumptionOf(
  { id: runId, nextSeq: seq }: StoredRun,
  approvals: readonly Approval[],
  steps: number,
): Resumption {
  return {
    runId,
    seq,
    steps,
    approvals: approvals
      .filter(({ requestedAt }) => requestedAt === lastRequest(approvals))
      .map(({ id: approvalId, callId, tool: name, input, binding, expiresAt }) => ({
        approvalId,
        callId,
        name,
        input,
        binding,
        expiresAt,
      })),
    verdicts: approvals.flatMap(({ id: approvalId, answer }) =>
      answer
        ? [
            {
              approvalId,
              approved: answer.approved,
              ...(answer.reason === undefined ? {} : { reason: answer.reason }),
            },
          ]
        : [],
    ),
  }
}

function lastRequest(approvals: readonly Approval[]): number {
  return Math.max(...approvals.map(({ requestedAt }) => requestedAt))
}

function unknownConversation(cause: unknown, id: string): HostError {
  if (!HostError.is(cause) || cause.code !== 'CONVERSATION_EXISTS') throw cause
  return new HostError('CONVERSATION_UNKNOWN', `There is no conversation "${id.slice(0, 100)}".`)
}
