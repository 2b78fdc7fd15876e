import type { Part, StreamResponse, Task, TaskState, TaskStatus } from '@a2a-js/sdk'
import { HostError, type PartialEvent } from '@braidwork/plugin'
import { MARK, type Mark } from './message.ts'
import { ShownAnswer } from './shown-answer.ts'

/** The states of the protocol that end a task or let it wait, by their numbers. */
const COMPLETED = 3
const WAITING: ReadonlySet<TaskState> = new Set<TaskState>([6, 8])
const FAILURES: ReadonlyMap<TaskState, string> = new Map<TaskState, string>([
  [4, 'failed'],
  [5, 'canceled the task'],
  [7, 'rejected the message'],
])

/** Stands for the id of an artifact where the agent says its answer in a status. No id of an agent has a line break. */
const ASKED = 'status\n'

const LONGEST_REASON = 500
/** The states in which a task without artifacts has none so far. Some agents leave them out of a task that is over. */
const BEGUN: ReadonlySet<TaskState | undefined> = new Set<TaskState | undefined>([1, 2])
type Mask = (text: string) => string

export interface AnswerOptions {
  /** Masks the token in the reason of a failure, before the reason is cut. */
  readonly mask?: Mask
  /** Whether what was shown of the answer can be taken back. */
  readonly canReset?: boolean
}

/** Makes the events of one answer from the updates of a task. */
export class RemoteAnswer {
  readonly #shown: ShownAnswer
  /** Whether it was read from the agent again, so that updates may be missing. */
  #isReread = false
  #taskId: string | undefined
  #contextId: string | undefined
  #state: TaskState | undefined
  /** The message with which the task asks, and its texts if an earlier answer has shown them. */
  #asked: string | undefined
  #repeated: readonly Part[] | undefined
  readonly #before: Mark | undefined
  readonly #mask: Mask

  /**
   * @param before where the agent has the task that the message goes on with, and what was shown of it
   */
  constructor(before?: Mark, { mask = (text) => text, canReset = false }: AnswerOptions = {}) {
    this.#mask = mask
    this.#before = before?.taskId === undefined ? undefined : before
    this.#taskId = this.#before?.taskId
    this.#contextId = this.#before?.contextId
    this.#shown = new ShownAnswer(this.#before?.shown, canReset)
  }

  /** The task that was begun, if the agent has told it. */
  get taskId(): string | undefined {
    return this.#taskId
  }

  /** Whether the agent replaced a text that was shown, so that the answer has both. */
  get hasReplaced(): boolean {
    return this.#shown.hasReplaced
  }

  /** Whether the task waits for the next message. */
  get isWaiting(): boolean {
    return this.#state !== undefined && WAITING.has(this.#state)
  }

  /** Whether the answer is complete: the task is over, or waits for the next message, with another question than before. */
  get isOver(): boolean {
    return this.#state === COMPLETED || (this.isWaiting && !this.#repeated)
  }

  /** Whether the agent works on the task, as far as it has told. */
  get isUnderWay(): boolean {
    const hasFailed = this.#state !== undefined && FAILURES.has(this.#state)
    return this.#taskId !== undefined && !this.isOver && !hasFailed
  }

  /** Notes that the task is read over further connections, which may have missed updates. */
  reread(): void {
    this.#isReread = true
  }

  /** Whether the last events begin the answer anew: all before them is to be taken back. True once. */
  restarts(): boolean {
    return this.#shown.restarts()
  }

  /** @throws {HostError} REMOTE_AGENT_FAILED if the task has failed */
  take(update: StreamResponse): readonly PartialEvent[] {
    return this.#shown.orAnew(this.#take(update))
  }

  #take({ payload }: StreamResponse): readonly PartialEvent[] {
    if (payload === undefined) return []
    switch (payload.$case) {
      case 'task':
        return this.#takeTask(payload.value)
      case 'message':
        this.#isAt(payload.value)
        this.#state = COMPLETED
        return this.#shown.parts(payload.value.parts, '', false)
      case 'statusUpdate':
        this.#isAt(payload.value)
        return this.#takeStatus(payload.value.status)
      case 'artifactUpdate': {
        const { artifact, append } = payload.value
        this.#isAt(payload.value)
        return artifact ? this.#shown.parts(artifact.parts, artifact.artifactId, append) : []
      }
    }
  }

  /** Ends the answer. The last text gets where the agent has the conversation. */
  end(): readonly PartialEvent[] {
    return [...this.#shown.end(), ...this.#ended()]
  }

  #ended(): readonly PartialEvent[] {
    // A task that only asks again what it has asked already has no other answer.
    const again = this.isWaiting && !this.#shown.hasText ? (this.#repeated ?? []) : []
    const said = this.#shown.parts(again, ASKED, false)
    const contextId = this.#contextId
    if (contextId === undefined) return [...said, ...this.#shown.close()]
    const mark: Mark = { contextId, ...(this.isWaiting ? this.#waitingTask() : {}) }
    return [
      ...said,
      ...this.#shown.opened(ASKED, this.isWaiting),
      ...this.#shown.close({ [MARK]: mark }),
    ]
  }

  #waitingTask(): Omit<Mark, 'contextId'> {
    const taskId = this.#taskId
    if (taskId === undefined) return {}
    const shown = { ...this.#before?.shown, ...this.#shown.noted(isOfTask) }
    const asked = this.#asked === undefined ? {} : { asked: this.#asked }
    return { taskId, ...asked, ...(Object.keys(shown).length > 0 ? { shown } : {}) }
  }

  /** Notes where the agent has the answer. Every update may be the first. */
  #isAt({ taskId, contextId }: { readonly taskId: string; readonly contextId: string }): void {
    this.#taskId = taskId || this.#taskId
    this.#contextId = contextId || this.#contextId
  }

  #takeTask({ id, contextId, status, artifacts }: Task): readonly PartialEvent[] {
    this.#isAt({ taskId: id, contextId })
    const state = status?.state
    const isWhole = artifacts.length > 0 || BEGUN.has(state)
    if (this.#isReread && isWhole) {
      const present = new Set(artifacts.map(({ artifactId }) => artifactId))
      this.#shown.withdraw((artifactId) => isOfTask(artifactId) && !present.has(artifactId))
    }
    const own = artifacts.flatMap(({ artifactId, parts }) =>
      this.#shown.parts(parts, artifactId, false),
    )
    return [...own, ...this.#takeStatus(status)]
  }

  #takeStatus(status: TaskStatus | undefined): readonly PartialEvent[] {
    if (!status) return []
    const { state, message } = status
    this.#state = state
    const parts = message?.parts ?? []
    const failure = FAILURES.get(state)
    if (failure !== undefined) throw failed(failure, this.#mask(wordsOf(parts)))
    this.#asked = message?.messageId || undefined
    const isRepeated = this.#asked !== undefined && this.#asked === this.#before?.asked
    this.#repeated = isRepeated ? parts.filter(isText) : undefined
    if (isRepeated) return []
    // An agent may say its answer in the status; what it says while it works is progress.
    const isAnswer = WAITING.has(state) || (state === COMPLETED && !this.#shown.hasText)
    return isAnswer ? this.#shown.parts(parts.filter(isText), `${ASKED}${state}`, false) : []
  }
}

/** Whether an artifact is one of the task, and none that stands for a message or a status. */
function isOfTask(artifactId: string): boolean {
  return artifactId !== '' && !artifactId.startsWith(ASKED)
}

function isText({ content }: Part): boolean {
  return content?.$case === 'text'
}

function wordsOf(parts: readonly Part[]): string {
  return parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join(' ')
}

function failed(what: string, words: string): HostError {
  const reason = words.trim().slice(0, LONGEST_REASON)
  const message = `The remote agent ${what}${reason === '' ? '.' : `: ${reason}`}`
  return new HostError('REMOTE_AGENT_FAILED', message)
}
