import type { Part, StreamResponse, Task, TaskState, TaskStatus } from '@a2a-js/sdk'
import { HostError, type PartialEvent } from '@braidwork/plugin'
import { MARK, type Mark } from './message.ts'
import { type Replacement, ShownArtifact } from './shown-artifact.ts'

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
type Mask = (text: string) => string
const HTTP = /^https?:\/\//i

/** Makes the events of one answer from the updates of a task. */
export class RemoteAnswer {
  /** The text that is open, with the artifact that it is of. */
  #open: { readonly id: string; readonly artifactId: string } | undefined
  readonly #artifacts = new Map<string, ShownArtifact>()
  #hasReplaced = false
  #texts = 0
  #hasText = false
  #hasOther = false
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
   * @param mask masks the token in the reason of a failure, before the reason is cut
   */
  constructor(before?: Mark, mask: Mask = (text) => text) {
    this.#mask = mask
    this.#before = before?.taskId === undefined ? undefined : before
    this.#taskId = this.#before?.taskId
    this.#contextId = this.#before?.contextId
  }

  /** The task that was begun, if the agent has told it. */
  get taskId(): string | undefined {
    return this.#taskId
  }

  /** Whether the agent replaced a text that was shown, so that the answer has both. */
  get hasReplaced(): boolean {
    return this.#hasReplaced
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

  /** @throws {HostError} REMOTE_AGENT_FAILED if the task has failed */
  take({ payload }: StreamResponse): readonly PartialEvent[] {
    if (payload === undefined) return []
    switch (payload.$case) {
      case 'task':
        return this.#takeTask(payload.value)
      case 'message':
        this.#isAt(payload.value)
        this.#state = COMPLETED
        return this.#parts(payload.value.parts, '', false)
      case 'statusUpdate':
        this.#isAt(payload.value)
        return this.#takeStatus(payload.value.status)
      case 'artifactUpdate': {
        const { artifact, append } = payload.value
        this.#isAt(payload.value)
        return artifact ? this.#parts(artifact.parts, artifact.artifactId, append) : []
      }
    }
  }

  /** Ends the answer. The last text gets where the agent has the conversation. */
  end(): readonly PartialEvent[] {
    // A task that only asks again what it has asked already has no other answer.
    const again = this.isWaiting && !this.#hasText ? (this.#repeated ?? []) : []
    const said = this.#parts(again, ASKED, false)
    const contextId = this.#contextId
    if (contextId === undefined) return [...said, ...this.#close()]
    const mark: Mark = { contextId, ...(this.isWaiting ? this.#waitingTask() : {}) }
    return [...said, ...this.#opened(), ...this.#close({ [MARK]: mark })]
  }

  /** Opens a text without words for the mark, where an answer ends with a file or data, or only waits. */
  #opened(): readonly PartialEvent[] {
    if (this.#open || !(this.#hasOther || this.isWaiting)) return []
    const id = String(++this.#texts)
    this.#open = { id, artifactId: ASKED }
    return [{ type: 'text-start', id }]
  }

  #waitingTask(): Omit<Mark, 'contextId'> {
    const taskId = this.#taskId
    if (taskId === undefined) return {}
    const own = [...this.#artifacts].filter(([id]) => id !== '' && !id.startsWith(ASKED))
    const noted = Object.fromEntries(own.map(([id, artifact]) => [id, artifact.noted()]))
    const shown = { ...this.#before?.shown, ...noted }
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
    const own = artifacts.flatMap(({ artifactId, parts }) => this.#parts(parts, artifactId, false))
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
    const isAnswer = WAITING.has(state) || (state === COMPLETED && !this.#hasText)
    return isAnswer ? this.#parts(parts.filter(isText), `${ASKED}${state}`, false) : []
  }

  #parts(parts: readonly Part[], artifactId: string, isMore: boolean): readonly PartialEvent[] {
    const before = this.#before?.shown?.[artifactId]
    const shown = this.#artifacts.get(artifactId) ?? new ShownArtifact(before)
    const isKnown = before !== undefined || this.#artifacts.has(artifactId)
    this.#artifacts.set(artifactId, shown)
    if (isKnown && !isMore) return this.#replaced(shown.replace(parts), artifactId)
    shown.add(parts)
    return parts.flatMap((part) => this.#part(part, artifactId))
  }

  #replaced({ parts, isOther }: Replacement, artifactId: string): readonly PartialEvent[] {
    this.#hasReplaced ||= isOther
    const closed = isOther ? this.#close() : []
    return [...closed, ...parts.flatMap((part) => this.#part(part, artifactId))]
  }

  #part({ content, mediaType, filename }: Part, artifactId: string): readonly PartialEvent[] {
    if (content?.$case === 'text') return this.#text(content.value, artifactId)
    this.#hasOther ||= content !== undefined
    if (content?.$case === 'data') {
      return [...this.#close(), { type: 'data', name: 'a2a', data: content.value ?? null }]
    }
    const about = {
      type: 'file',
      mediaType: mediaType || 'application/octet-stream',
      ...(filename === '' ? {} : { name: filename }),
    } as const
    if (content?.$case === 'raw') {
      return [...this.#close(), { ...about, data: Buffer.from(content.value).toString('base64') }]
    }
    const isSafe = content?.$case === 'url' && HTTP.test(content.value)
    return isSafe ? [...this.#close(), { ...about, url: content.value }] : []
  }

  #text(delta: string, artifactId: string): readonly PartialEvent[] {
    if (delta === '') return []
    this.#hasText = true
    if (this.#open?.artifactId === artifactId) {
      return [{ type: 'text-delta', id: this.#open.id, delta }]
    }
    const closed = this.#close()
    const id = String(++this.#texts)
    this.#open = { id, artifactId }
    return [...closed, { type: 'text-start', id }, { type: 'text-delta', id, delta }]
  }

  #close(providerMetadata?: { readonly [provider: string]: unknown }): readonly PartialEvent[] {
    if (!this.#open) return []
    const { id } = this.#open
    this.#open = undefined
    return [{ type: 'text-end', id, ...(providerMetadata ? { providerMetadata } : {}) }]
  }
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
