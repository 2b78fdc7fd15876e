import type { Approval, Environment, Storage, StoredRun } from '@braidwork/agent'
import { answerFault } from '@braidwork/agent'
import { historyOfNodes, loadShownNodes, reachedBy, resumptionOf } from '@braidwork/agent/internal'
import { HostError, type Log } from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import type { Identity } from '../identity.ts'
import type { RunService } from '../run-service.ts'
import { inOurWords } from '../tell.ts'
import type { ApprovalAnswer } from '../wire/index.ts'

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
  /** The approvals still open, if the request answered some but not all of them. */
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
   * Records the answer to one approval of any conversation.
   * @throws {HostError} APPROVAL_UNKNOWN; APPROVAL_EXPIRED, in which case the run resumes without the approval
   */
  async answer(identity: Identity, given: ApprovalAnswer): Promise<Approval> {
    const { storage, runs } = this.#parts
    const approval = await storage.approvals.load(identity.id, given.approvalId)
    const id = given.approvalId.slice(0, 100)
    if (approval) await assertFits(approval, given)
    else throw new HostError('APPROVAL_UNKNOWN', `There is no approval "${id}".`)
    const run = await runs.find(identity, approval.runId)
    // An answer is stored before its run resumes, so one given since the approval was read is there by now.
    const isOver = run.status !== 'suspended' && !(await this.#isAnswered(identity, given))
    const answered = isOver ? undefined : await this.#answer(identity, given)
    await this.#resume(identity, run)
    if (answered) return answered
    const why = isOver
      ? 'The run that requested it has ended'
      : `It expired at ${new Date(approval.expiresAt).toISOString()}`
    throw new HostError(
      'APPROVAL_EXPIRED',
      `The approval "${id}" can no longer be answered. ${why}.`,
    )
  }

  /** Records the answers to approvals of one run. Answers to approvals of other runs are ignored. */
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
    for (const answer of own) await this.#answer(identity, answer)
    const resumed = await this.#resume(identity, await runs.find(identity, id))
    const run = resumed ?? (await runs.find(identity, id))
    if (run.status !== 'suspended' || answers.length === 0) return { run }
    const open = (await storage.approvals.list(identity.id, id)).filter(({ answer }) => !answer)
    return { run, awaited: new Set(open.map((approval) => approval.id)) }
  }

  /** Resumes the runs whose approvals are all answered but whose process ended before it could resume them. */
  async resumeAnswered(): Promise<void> {
    const { storage, environment, log } = this.#parts
    for (const run of await storage.runs.answered(environment.now())) {
      if (this.#stuck.has(run.id)) continue
      try {
        await this.#resume({ id: run.owner, role: 'user' }, run)
      } catch (error) {
        const failure = toHostError(error)
        const { retryable, retryAfter } = failure
        if (!retryable && retryAfter === undefined) this.#stuck.add(run.id)
        const { message, ...facts } = inOurWords(failure)
        log({
          level: 'error',
          message: `A run cannot be resumed: ${message}`,
          ...facts,
          runId: run.id,
        })
      }
    }
  }

  async #isAnswered({ id }: Identity, { approvalId }: ApprovalAnswer): Promise<boolean> {
    const approval = await this.#parts.storage.approvals.load(id, approvalId)
    return approval?.answer !== undefined
  }

  #answer(identity: Identity, given: ApprovalAnswer): Promise<Approval | undefined> {
    const { storage, environment } = this.#parts
    const { approvalId, approved, reason, value } = given
    return storage.approvals.answer(identity.id, approvalId, {
      approved,
      ...(reason === undefined ? {} : { reason }),
      ...(value === undefined ? {} : { value }),
      answeredAt: environment.now(),
    })
  }

  /** Resumes a suspended run if none of its approvals is open. */
  async #resume(identity: Identity, run: StoredRun): Promise<StoredRun | undefined> {
    const { storage, environment, runs, cancelAfter } = this.#parts
    const { conversationId } = run
    if (run.status !== 'suspended' || conversationId === undefined) return undefined
    const approvals = await storage.approvals.list(identity.id, run.id)
    const now = environment.now()
    if (approvals.some(({ answer, expiresAt }) => !answer && expiresAt > now)) return undefined
    const path = await loadShownNodes({ storage, owner: identity.id, conversationId })
    return runs.resume(identity, run, {
      messages: historyOfNodes(path),
      resume: resumptionOf(run, approvals, await reachedBy(run, storage)),
      abandonAfter: cancelAfter,
    })
  }
}

/** Checks that an answer fits what was asked. @throws {HostError} REQUEST_INVALID */
async function assertFits(
  approval: Approval | undefined,
  { approved, value }: ApprovalAnswer,
): Promise<void> {
  if (!approval?.isQuestion) {
    if (value === undefined) return
    throw notFitting('The call waits for a permission and not for an answer; say "approved".')
  }
  const fault = approved ? await answerFault(approval.input, value) : undefined
  if (fault !== undefined) throw notFitting(`The answer does not fit the question. ${fault}`)
}

function notFitting(message: string): HostError {
  return new HostError('REQUEST_INVALID', message, { pointer: '/answer' })
}
