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

const LONGEST_REASON = 500
const HTTP = /^https?:\/\//i

/** Makes the events of one answer from the updates of a task. */
export class RemoteAnswer {
  /** The text that is open, with the artifact that it is of. */
  #open: { readonly id: string; readonly artifactId: string } | undefined
  readonly #artifacts = new Map<string, ShownArtifact>()
  #hasReplaced = false
  #texts = 0
  #hasText = false
  #taskId: string | undefined
  #contextId: string | undefined
  #state: TaskState | undefined

  /** The task that was begun, if the agent has told it. */
  get taskId(): string | undefined {
    return this.#taskId
  }

  /** Whether the agent replaced a text that was shown, so that the answer has both. */
  get hasReplaced(): boolean {
    return this.#hasReplaced
  }

  /** Whether the answer is complete: the task is over, or waits for the next message. */
  get isOver(): boolean {
    return this.#state === COMPLETED || (this.#state !== undefined && WAITING.has(this.#state))
  }

  /** @throws {HostError} REMOTE_AGENT_FAILED if the task has failed */
  take({ payload }: StreamResponse): readonly PartialEvent[] {
    if (payload === undefined) return []
    switch (payload.$case) {
      case 'task':
        return this.#takeTask(payload.value)
      case 'message':
        this.#contextId = payload.value.contextId || undefined
        this.#state = COMPLETED
        return this.#parts(payload.value.parts, '', false)
      case 'statusUpdate':
        return this.#takeStatus(payload.value.status)
      case 'artifactUpdate': {
        const { artifact, append } = payload.value
        return artifact ? this.#parts(artifact.parts, artifact.artifactId, append) : []
      }
    }
  }

  /** Ends the answer. The last text gets where the agent has the conversation. */
  end(): readonly PartialEvent[] {
    const contextId = this.#contextId
    if (contextId === undefined) return this.#close()
    const isWaiting = this.#state !== undefined && WAITING.has(this.#state)
    const mark: Mark = { contextId, ...(isWaiting && this.#taskId ? { taskId: this.#taskId } : {}) }
    return this.#close({ [MARK]: mark })
  }

  #takeTask({ id, contextId, status, artifacts }: Task): readonly PartialEvent[] {
    this.#taskId = id || undefined
    this.#contextId = contextId || undefined
    const own = artifacts.flatMap(({ artifactId, parts }) => this.#parts(parts, artifactId, false))
    return [...own, ...this.#takeStatus(status)]
  }

  #takeStatus(status: TaskStatus | undefined): readonly PartialEvent[] {
    if (!status) return []
    const { state, message } = status
    this.#state = state
    const parts = message?.parts ?? []
    const failure = FAILURES.get(state)
    if (failure !== undefined) throw failed(failure, parts)
    // An agent may say its answer in the status; what it says while it works is progress.
    const isAnswer = WAITING.has(state) || (state === COMPLETED && !this.#hasText)
    return isAnswer ? this.#parts(parts.filter(isText), `status ${state}`, false) : []
  }

  #parts(parts: readonly Part[], artifactId: string, isMore: boolean): readonly PartialEvent[] {
    const shown = this.#artifacts.get(artifactId) ?? new ShownArtifact()
    const isKnown = this.#artifacts.has(artifactId)
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

function failed(what: string, parts: readonly Part[]): HostError {
  const words = parts.map(({ content }) => (content?.$case === 'text' ? content.value : ''))
  const reason = words.join(' ').trim().slice(0, LONGEST_REASON)
  const message = `The remote agent ${what}${reason === '' ? '.' : `: ${reason}`}`
  return new HostError('REMOTE_AGENT_FAILED', message)
}
