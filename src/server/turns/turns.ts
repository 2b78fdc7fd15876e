import type { Conversation, StoredRun } from '@braidwork/agent'
import { untoldWhileWaiting } from '@braidwork/agent/internal'
import { turnFor } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import type { Catalog } from '../catalog.ts'
import { withoutEmpty } from '../empty-conversations.ts'
import { repeatKeyIn } from '../headers.ts'
import type { Quotas } from '../quotas.ts'
import type { RunOrder } from '../run-order.ts'
import type { WireRequest } from '../wire/index.ts'
import { answersIn, assertKnown } from './answers.ts'
import type { Approvals, ApprovalsParts, TakenTurn } from './approvals.ts'
import { importHistory } from './import-history.ts'
import { knownAnswer } from './known-answer.ts'
import { type AnsweredPlan, type Plan, planTurn, type RunPlan } from './plan.ts'
import { plannedPath } from './planned-path.ts'
import { steeringIn } from './steering.ts'
import { ToldAnswers } from './told-answers.ts'
import type { CallRequest, TurnRequest } from './turn-request.ts'
import { keepResults } from './waiting-results.ts'

export interface TurnsParts extends ApprovalsParts {
  readonly catalog: Catalog
  readonly approvals: Approvals
  readonly quotas: Quotas
}

/**
 * Finds the run that answers a request of a conversation: a new run, a resumed run, or one that is already active.
 */
export class Turns {
  readonly #parts: TurnsParts
  /** The runs whose answers this process has sent to their ends. */
  readonly told = new ToldAnswers()

  constructor(parts: TurnsParts) {
    this.#parts = parts
  }

  /** @throws {HostError} CONVERSATION_BUSY, CONVERSATION_UNKNOWN, MODEL_UNPUBLISHED, IDEMPOTENCY_KEY_REUSED, … */
  async take(turn: TurnRequest): Promise<TakenTurn> {
    const { storage, environment, catalog, runs } = this.#parts
    const { identity, request } = turn
    await turnFor(request.messages, request.tools)
    // A request that starts no run must not repeat the key of a different one either.
    await runs.repeated({ identity, isStored: true, ...repeatKeyIn(turn) })
    const { name: agent } = await catalog.find(identity, request.agent)
    const id = request.conversationId ?? environment.newId('conversation')
    const conversation = await storage.conversations.load(identity.id, id)
    if (conversation) return this.#goOn({ ...turn, agent, conversation })
    if (request.mustExist) {
      const message = `There is no conversation "${id.slice(0, 100)}". It may have been deleted.`
      throw new HostError('CONVERSATION_UNKNOWN', message, { pointer: '/id' })
    }
    return this.#import({ ...turn, agent }, id)
  }

  /**
   * Says the new messages of a request to the run that is active in its conversation. Returns the run when they have
   * entered it, or undefined if none takes them: the request is then a turn like any other. CT-15
   * @throws {HostError} REQUEST_INVALID, STORAGE_QUOTA_EXCEEDED, and the errors of {@link RunService.say}
   */
  async steer(turn: TurnRequest, signal: AbortSignal): Promise<StoredRun | undefined> {
    const { storage, quotas, runs } = this.#parts
    const { identity, request } = turn
    const { conversationId: id = '' } = request
    const run = await storage.runs.open(identity.id, id)
    const conversation = await storage.conversations.load(identity.id, id)
    if (run?.status !== 'active' || !conversation) return undefined
    const { plan } = await this.#planFor({ ...turn, conversation })
    const said = steeringIn(plan)
    if (said.length === 0) return undefined
    await quotas.assertRoom(identity)
    try {
      await Promise.all(said.map((message) => runs.say(run, message)))
      return run
    } catch (error) {
      if (!HostError.is(error) || error.code !== 'RUN_NOT_ACTIVE') throw error
      await runs.ended(run, signal)
      return undefined
    }
  }

  /**
   * Starts the run of a call that the client makes itself, in a conversation of its own.
   * @throws {HostError} STORAGE_QUOTA_EXCEEDED, and the errors of `RunService.start`
   */
  async call({ identity, agent, tool, input, ...rest }: CallRequest): Promise<StoredRun> {
    const { storage, environment, quotas } = this.#parts
    const conversationId = environment.newId('conversation')
    const { id: owner } = identity
    const about = { id: conversationId, owner, agent, sender: owner, title: tool }
    const conversation = await quotas.keep(identity, { conversations: 1 }, () =>
      storage.conversations.create(about, environment.now()),
    )
    const callId = environment.newId('call')
    const call = { type: 'tool-call', callId, name: tool, input } as const
    const request = { settings: {}, tools: [], call }
    const turn = { ...rest, identity, agent, conversation, request, canReset: true }
    const started = this.#start(turn, { kind: 'run', entries: [], messages: [] })
    return withoutEmpty(this.#parts, conversation, started)
  }

  async #import(turn: AgentTurn, id: string): Promise<TakenTurn> {
    const { storage, environment, quotas } = this.#parts
    const { identity, request } = turn
    const newId = () => environment.newId('message')
    const plan = importHistory(request.messages, newId)
    const now = environment.now()
    try {
      const about = { id, owner: identity.id, agent: turn.agent, sender: identity.id }
      const conversation = await quotas.keep(identity, { conversations: 1 }, () =>
        storage.conversations.create(about, now),
      )
      const started = this.#startOrJoin({ ...turn, conversation }, plan)
      return { run: await withoutEmpty(this.#parts, conversation, started) }
    } catch (error) {
      if (!HostError.is(error) || error.code !== 'CONVERSATION_EXISTS') throw error
      // The same request, sent twice, has just created the conversation.
      const own = await storage.conversations.load(identity.id, id)
      if (!own) throw error
      return this.#goOn({ ...turn, conversation: own })
    }
  }

  async #goOn(turn: KnownTurn): Promise<TakenTurn> {
    const { storage } = this.#parts
    const { identity, request, conversation } = turn
    const { id } = conversation
    const once = turn.answersOnce ? request.approvals : []
    await this.#parts.approvals.assertFirst(identity, once)
    const { plan, open, approvals } = await this.#planFor(turn)
    if (open?.status === 'active' && joins(plan, open)) return { run: open }
    if (plan.kind === 'run') return { run: await this.#startOrJoin(turn, plan) }
    const answers = [...request.approvals, ...answersIn(request.messages, approvals)]
    if (plan.kind === 'answered' && answers.length === 0) return this.#answerOnceMore(turn, plan)
    if (plan.kind === 'results') {
      const given = { identity, conversationId: id, entries: plan.entries, open }
      await keepResults(this.#parts, given)
    }
    const run = open ?? (await storage.runs.last(identity.id, id))
    if (!run) throw nothingNew()
    if (plan.kind !== 'results') assertKnown(answers, approvals)
    const taken = await this.#parts.approvals.answerAll(identity, run, answers)
    // Another request may have answered meanwhile.
    await this.#parts.approvals.assertFirst(identity, once)
    const isRead = plan.kind === 'nothing-new' && answers.length === 0
    return isRead ? { run: taken.run } : taken
  }

  /** Gives the answer to a message once more, or another one. */
  async #answerOnceMore(turn: KnownTurn, plan: AnsweredPlan): Promise<TakenTurn> {
    const { storage, approvals } = this.#parts
    const { identity, request, conversation } = turn
    const asked = { owner: identity.id, clientRunId: request.clientRunId, plan }
    const known = await knownAnswer(storage, this.told, asked)
    if (!known && request.clientRunId !== undefined) {
      return { run: await this.#startOrJoin(turn, plan.again) }
    }
    const run = known ?? (await storage.runs.last(identity.id, conversation.id))
    if (!run) throw nothingNew()
    return { run: (await approvals.answerAll(identity, run, [])).run }
  }

  /** Starts a run, or joins the one that the same request, sent twice, has started since this one was planned. */
  async #startOrJoin(turn: KnownTurn, plan: RunPlan): Promise<StoredRun> {
    try {
      return await this.#start(turn, plan)
    } catch (error) {
      if (!HostError.is(error) || error.code !== 'CONVERSATION_BUSY') throw error
      const { plan: since, open } = await this.#planFor(turn)
      if (open?.status === 'active' && joins(since, open)) return open
      throw error
    }
  }

  /** Plans a request of a stored conversation, with its open run. */
  async #planFor({ identity, request, conversation, unchangeable }: Omit<KnownTurn, 'agent'>) {
    const { storage, environment } = this.#parts
    const { id } = conversation
    const stored = { storage, owner: identity.id, conversationId: id }
    const planned = await plannedPath(request, stored)
    const open = await storage.runs.open(identity.id, id)
    const approvals = open ? await storage.approvals.list(identity.id, open.id) : []
    const plan = planTurn({
      ...planned,
      request,
      unchangeable,
      awaiting: new Set(approvals.map(({ callId }) => callId)),
      untold: open ? await untoldWhileWaiting(open, storage) : {},
      newId: () => environment.newId('message'),
    })
    return { plan, open, approvals }
  }

  #start(turn: StartedTurn, plan: RunPlan): Promise<StoredRun> {
    const { environment, runs, cancelAfter } = this.#parts
    const { identity, request, protocol, agent } = turn
    const { id: conversationId, createdAt } = turn.conversation
    const { entries, parent, messages, answerId } = plan
    return runs.start({
      identity,
      conversationId,
      order: {
        protocol,
        agent,
        messageId: answerId ?? environment.newId('message'),
        ...(request.clientRunId === undefined ? {} : { clientRunId: request.clientRunId }),
        createdAt: environment.now(),
        settings: request.settings,
        tools: request.tools,
        ...(request.call ? { call: request.call } : {}),
        ...(request.hostTools ? { hostTools: request.hostTools } : {}),
        asks: true,
        canReset: turn.canReset,
        ...(turn.isBackground ? { isBackground: true } : {}),
      },
      messages,
      headers: turn.headers,
      // Planning takes time, in which the conversation may be deleted and its id used again.
      append: { entries, createdAt, ...(parent === undefined ? {} : { parent }) },
      abandonAfter: cancelAfter,
      isStored: true,
      ...repeatKeyIn(turn),
    })
  }
}

/** A run to be started in a conversation. */
interface StartedTurn extends Omit<TurnRequest, 'request'> {
  readonly agent: string
  readonly conversation: Pick<Conversation, 'id' | 'createdAt'>
  readonly request: Pick<WireRequest, 'settings' | 'tools' | 'hostTools' | 'clientRunId'> &
    Pick<RunOrder, 'call'>
}

type AgentTurn = TurnRequest & { readonly agent: string }
type KnownTurn = AgentTurn & { readonly conversation: Conversation }

/** Whether a request can join the active run, because it brings nothing that this run does not have. */
function joins(plan: Plan, open: StoredRun): boolean {
  if (plan.kind === 'answered') return plan.runId === open.id
  if (plan.kind !== 'run') return plan.kind === 'nothing-new'
  return plan.entries.length === 0 && plan.parent === undefined
}

function nothingNew(): HostError {
  const message = 'The request contains nothing new to respond to.'
  return new HostError('MESSAGES_INVALID', message, { pointer: '/messages' })
}
