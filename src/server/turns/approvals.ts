import { isDeepStrictEqual } from 'node:util'
import type { Approval, Environment, Resumption, Storage, StoredRun } from '@braidwork/agent'
import { answerFault } from '@braidwork/agent'
import { reachedBy, resumptionOf, waitingHistory } from '@braidwork/agent/internal'
import { HostError, type Log } from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import type { Identity } from '../identity.ts'
import type { RunService } from '../runs/index.ts'
import { inOurWords } from '../tell.ts'
import { type ApprovalAnswer, defined } from '../wire/index.ts'

export interface ApprovalsParts {
  readonly storage: Storage
  readonly environment: Environment
  readonly runs: RunService
  readonly log: Log
  /** Stop a run of a conversation after this many milliseconds without a reader. */
  readonly cancelAfter: number
}

/** The outcome of a request in a conversation. */
export interface TakenTurn {
  /** The run whose present leg answers the request. */
  readonly run: StoredRun
  /** The approvals still open, if the request brought something new but the run waits on. */
  readonly awaited?: ReadonlySet<string>
}

/** Records answers to approvals. A run resumes as soon as none of its approvals is open. */
export class Approvals {
  readonly #parts: ApprovalsParts
  /**
   * Runs whose resumption failed with a permanent error. They are not tried again, but a client that asks for such
   * a run still gets the error.
   */
  readonly #stuck = new Set<string>()

  constructor(parts: ApprovalsParts) {
    this.#parts = parts
  }

  /**
   * Records the answer to one approval of any conversation. An answer that is refused is not kept.
   * @throws {HostError} APPROVAL_UNKNOWN; APPROVAL_EXPIRED, if it comes too late, in which case the run resumes without
   * the approval, or if the run or the conversation went on without it; the errors of `RunService.resume`
   */
  async answer(identity: Identity, given: ApprovalAnswer): Promise<Approval> {
    const { storage, runs } = this.#parts
    const approval = await storage.approvals.load(identity.id, given.approvalId)
    const id = given.approvalId.slice(0, 100)
    if (approval) await assertFits(approval, given)
    else throw new HostError('APPROVAL_UNKNOWN', `There is no approval "${id}".`)
    const run = await runs.find(identity, approval.runId)
    await this.#take(identity, run, [given])
    const answered = await storage.approvals.load(identity.id, given.approvalId)
    if (answered?.answer) return answered
    throw expired(
      given,
      run.status === 'suspended'
        ? `It expired at ${new Date(approval.expiresAt).toISOString()}`
        : 'The run that requested it has ended',
    )
  }

  /**
   * Records the answers to approvals of one run. Answers to approvals of other runs are ignored.
   * @throws {HostError} as {@link answer}
   */
  async answerAll(
    identity: Identity,
    { id }: StoredRun,
    answers: readonly ApprovalAnswer[],
  ): Promise<TakenTurn> {
    const { storage, runs } = this.#parts
    const approvals = await storage.approvals.list(identity.id, id)
    const asked = new Map(approvals.map((approval) => [approval.id, approval]))
    const own = answers.filter(({ approvalId }) => asked.has(approvalId))
    for (const answer of own) await assertFits(asked.get(answer.approvalId), answer)
    const resumed = await this.#take(identity, await runs.find(identity, id), own)
    const run = resumed ?? (await runs.find(identity, id))
    if (run.status !== 'suspended') return { run }
    const open = (await storage.approvals.list(identity.id, id)).filter(({ answer }) => !answer)
    return { run, awaited: new Set(open.map((approval) => approval.id)) }
  }

  /**
   * Refuses an answer to an approval that has another one. An equal answer is a repetition.
   * @throws {HostError} APPROVAL_EXPIRED
   */
  async assertFirst(identity: Identity, answers: readonly ApprovalAnswer[]): Promise<void> {
    for (const given of answers) {
      const known = await this.#parts.storage.approvals.load(identity.id, given.approvalId)
      const { answer } = known ?? {}
      if (!answer) continue
      const isSame =
        answer.approved === given.approved && isDeepStrictEqual(answer.value, given.value)
      if (!isSame) throw expired(given, 'It has another answer already, which counts')
    }
  }

  /** Resumes the runs whose approvals are all answered but whose process ended before it could resume them. */
  async resumeAnswered(): Promise<void> {
    const { storage, environment } = this.#parts
    for (const run of await storage.runs.answered(environment.now())) {
      if (!this.#stuck.has(run.id)) await this.#tryToResume({ id: run.owner, role: 'user' }, run)
    }
  }

  async #tryToResume(identity: Identity, run: StoredRun): Promise<StoredRun | undefined> {
    try {
      return await this.#take(identity, run, [])
    } catch (error) {
      const failure = toHostError(error)
      const { retryable, retryAfter } = failure
      if (!retryable && retryAfter === undefined) this.#stuck.add(run.id)
      const { message, ...facts } = inOurWords(failure)
      const text = `A run cannot be resumed: ${message}`
      this.#parts.log({ level: 'error', message: text, ...facts, runId: run.id })
      return undefined
    }
  }

  /**
   * Takes answers to a suspended run, and resumes it if none of its approvals is open any more. The answers are stored
   * when all else is ready, so that none is kept that is told to have failed.
   */
  async #take(
    identity: Identity,
    run: StoredRun,
    answers: readonly ApprovalAnswer[],
  ): Promise<StoredRun | undefined> {
    const { storage, runs, cancelAfter: abandonAfter } = this.#parts
    if (run.status !== 'suspended' || run.conversationId === undefined) return undefined
    const approvals = await storage.approvals.list(identity.id, run.id)
    const given = new Set(answers.map(({ approvalId }) => approvalId))
    const isLast = this.#openOf(approvals).every(({ id }) => given.has(id))
    if (!isLast && answers.length === 0) return undefined
    const messages = await waitingHistory(run, approvals, storage)
    if (!messages) throw expired(answers[0], 'The conversation went on without its call')
    const work = await runs.prepared(identity, run, messages)
    if (isLast) {
      return runs.resume(run, { work, abandonAfter, answers: () => this.#answers(run, answers) })
    }
    await this.#store(run, answers)
    // The others may have been answered meanwhile. These answers are accepted, whatever becomes of the run.
    return this.#tryToResume(identity, run)
  }

  /** Stores answers, and returns all of the run, unless one of its approvals is still open. */
  async #answers(
    run: StoredRun,
    given: readonly ApprovalAnswer[],
  ): Promise<Resumption | undefined> {
    const { storage } = this.#parts
    await this.#store(run, given)
    const approvals = await storage.approvals.list(run.owner, run.id)
    if (this.#openOf(approvals).length > 0) return undefined
    return resumptionOf(run, approvals, await reachedBy(run, storage))
  }

  async #store({ owner }: StoredRun, answers: readonly ApprovalAnswer[]): Promise<void> {
    const { storage, environment } = this.#parts
    for (const { approvalId, pointer: _, ...answer } of answers) {
      await storage.approvals.answer(owner, approvalId, {
        ...answer,
        answeredAt: environment.now(),
      })
    }
  }

  #openOf(approvals: readonly Approval[]): readonly Approval[] {
    const now = this.#parts.environment.now()
    return approvals.filter(({ answer, expiresAt }) => !answer && expiresAt > now)
  }
}

function expired(given: ApprovalAnswer | undefined, why: string): HostError {
  const which = given ? `The approval "${given.approvalId.slice(0, 100)}"` : 'The approval'
  const message = `${which} can no longer be answered. ${why}.`
  return new HostError('APPROVAL_EXPIRED', message, defined({ pointer: given?.pointer }))
}

/** Checks that an answer fits what was asked. @throws {HostError} REQUEST_INVALID */
async function assertFits(
  approval: Approval | undefined,
  { approved, value, pointer }: ApprovalAnswer,
): Promise<void> {
  if (!approval?.isQuestion) {
    if (value === undefined) return
    throw notFitting(
      'The call waits for a permission and not for an answer; say "approved".',
      pointer,
    )
  }
  const fault = approved ? await answerFault(approval.input, value) : undefined
  if (fault !== undefined)
    throw notFitting(`The answer does not fit the question. ${fault}`, pointer)
}

function notFitting(message: string, pointer: string | undefined): HostError {
  return new HostError('REQUEST_INVALID', message, defined({ pointer }))
}
