import { childProgressIn } from '@braidwork/agent/internal'
import { addUsage, type EndingEvent, type RunEvent, type Usage } from '@braidwork/plugin'
import { publicError, type RunFacts } from '../index.ts'
import { type A2aMessage, type A2aPart, agentMessage, placeOf, wholePart } from './parts.ts'
import { type Asked, askingParts } from './questions.ts'
import type { A2aTask, A2aUpdate, ArtifactUpdate, TaskState, TaskStatus } from './task.ts'
import { TaskChildren } from './task-children.ts'

/** An artifact as far as it is known. */
interface Collected {
  readonly step: number
  readonly name: string
  /** The text so far, or the only part of an artifact that is no text. */
  content: string | A2aPart
}

type Ending = EndingEvent & { readonly at?: number }

/**
 * A run as a task: its state and artifacts after each event. The texts, files and data of the model are artifacts, one
 * for each part; reasoning and the calls of tools are not shown.
 */
export class TaskView {
  readonly #facts: RunFacts
  readonly #artifacts = new Map<string, Collected>()
  /** The artifacts of open texts, by the id of the text. */
  readonly #texts = new Map<string, string>()
  /** Approvals without an answer, by id. */
  readonly #asked = new Map<string, Asked>()
  #status: TaskStatus
  readonly #children = new TaskChildren()
  #metadata: object | undefined
  /** The usage of the legs that have ended. */
  #usage: Usage = {}
  #step = 0
  #count = 0

  constructor(facts: RunFacts) {
    this.#facts = facts
    this.#status = { state: 'TASK_STATE_SUBMITTED', ...timeOf(facts.createdAt) }
  }

  get task(): A2aTask {
    const { taskId: id, contextId } = placeOf(this.#facts)
    const artifacts = [...this.#artifacts].map(([artifactId, { name, content }]) => ({
      artifactId,
      name,
      parts: [typeof content === 'string' ? { text: content } : content],
    }))
    return {
      id,
      contextId,
      status: this.#status,
      ...(artifacts.length > 0 ? { artifacts } : {}),
      ...metadataOf({ ...this.#children.metadata, ...this.#metadata }),
    }
  }

  /** Takes an event of the run in. Returns what a client is told. */
  add(event: RunEvent): readonly A2aUpdate[] {
    switch (event.type) {
      case 'text-delta':
        return this.#grow(event.id, event.delta)
      case 'text-start':
        this.#texts.set(event.id, this.#newId())
        return []
      case 'text-end':
        return this.#endText(event.id)
      case 'file':
      case 'source':
      case 'data':
        return this.#place(event)
      case 'step-start':
        this.#step = event.step
        this.#texts.clear()
        return this.#work(event.at)
      case 'step-reset':
        return this.#reset(event.step)
      default:
        return this.#other(event)
    }
  }

  /** Takes in which approvals of a waiting run are answered: the run tells it only when all are. */
  answered(approvalIds: readonly string[]): void {
    const isKnown = approvalIds.filter((id) => this.#asked.delete(id)).length > 0
    const { state, timestamp } = this.#status
    if (!isKnown || state !== 'TASK_STATE_INPUT_REQUIRED' || this.#asked.size === 0) return
    this.#status = { state, message: this.#asking(), ...(timestamp ? { timestamp } : {}) }
  }

  /** Takes in that the run goes on after an answer, before its next event. */
  goOn(): void {
    const { state, timestamp } = this.#status
    if (state !== 'TASK_STATE_INPUT_REQUIRED') return
    this.#status = { state: 'TASK_STATE_WORKING', ...(timestamp ? { timestamp } : {}) }
  }

  /**
   * Takes in that the run has ended while it waited for a person: a new turn of its conversation ends it without an
   * event. Returns whether that is new.
   */
  abandon(): boolean {
    const { state, timestamp } = this.#status
    if (state !== 'TASK_STATE_INPUT_REQUIRED') return false
    this.#status = { state: 'TASK_STATE_CANCELED', ...(timestamp ? { timestamp } : {}) }
    return true
  }

  #other(event: RunEvent): readonly A2aUpdate[] {
    switch (event.type) {
      case 'tool-execution-progress':
        return this.#progress(event)
      case 'approval-required':
        this.#asked.set(event.approvalId, event)
        return []
      case 'approval-resolved':
        this.#asked.delete(event.approvalId)
        return this.#work(event.at)
      case 'finish':
      case 'error':
      case 'abort':
        return this.#end(event)
      default:
        return []
    }
  }

  #progress(event: Extract<RunEvent, { type: 'tool-execution-progress' }>): readonly A2aUpdate[] {
    const { callId, progress } = event
    const child = childProgressIn(event)
    const told = child ? this.#children.add(child) : undefined
    const parts = [{ data: { callId, progress: progress ?? null } }]
    const words = agentMessage(this.#facts, `progress-${callId}`, parts)
    return this.#tell('TASK_STATE_WORKING', event.at, { words, told })
  }

  #newId(): string {
    return `${this.#facts.messageId}.${++this.#count}`
  }

  #grow(textId: string, delta: string): readonly A2aUpdate[] {
    const id = this.#texts.get(textId)
    if (id === undefined || delta === '') return []
    const known = this.#artifacts.get(id)
    const before = typeof known?.content === 'string' ? known.content : ''
    this.#artifacts.set(id, { step: this.#step, name: 'answer', content: before + delta })
    return [this.#artifact(id, { text: delta }, { append: known !== undefined })]
  }

  #endText(textId: string): readonly A2aUpdate[] {
    const id = this.#texts.get(textId)
    this.#texts.delete(textId)
    if (id === undefined || !this.#artifacts.has(id)) return []
    return [this.#artifact(id, { text: '' }, { append: true, lastChunk: true })]
  }

  #place(event: Extract<RunEvent, { type: 'file' | 'source' | 'data' }>): readonly A2aUpdate[] {
    const content = wholePart(event)
    if (content === undefined) return []
    const id = this.#newId()
    this.#artifacts.set(id, { step: this.#step, name: event.type, content })
    return [this.#artifact(id, content, { lastChunk: true })]
  }

  /** Empties what the client was sent of a step: an artifact that is not appended to takes the place of its former. */
  #reset(step: number): readonly A2aUpdate[] {
    const dropped = [...this.#artifacts].filter(([, one]) => one.step === step)
    const updates = dropped.map(([id]) => this.#artifact(id, { text: '' }, {}))
    for (const [id] of dropped) this.#artifacts.delete(id)
    this.#texts.clear()
    return updates
  }

  #artifact(
    artifactId: string,
    part: A2aPart,
    { append, lastChunk }: Pick<ArtifactUpdate, 'append' | 'lastChunk'>,
  ): A2aUpdate {
    const name = this.#artifacts.get(artifactId)?.name ?? 'answer'
    return {
      artifactUpdate: {
        ...placeOf(this.#facts),
        artifact: { artifactId, name, parts: [part] },
        ...(append ? { append } : {}),
        ...(lastChunk ? { lastChunk } : {}),
      },
    }
  }

  #work(at: number | undefined): readonly A2aUpdate[] {
    return this.#status.state === 'TASK_STATE_WORKING' ? [] : this.#tell('TASK_STATE_WORKING', at)
  }

  #end(ending: Ending): readonly A2aUpdate[] {
    if (ending.type === 'abort') return this.#tell('TASK_STATE_CANCELED', ending.at)
    if (ending.type === 'error') {
      const { code, message } = publicError(ending.error)
      const words = agentMessage(this.#facts, 'error', [{ text: message }])
      this.#metadata = { code }
      return this.#tell('TASK_STATE_FAILED', ending.at, { words })
    }
    this.#usage = addUsage(this.#usage, ending.usage)
    if (this.#asked.size > 0) {
      return this.#tell('TASK_STATE_INPUT_REQUIRED', ending.at, { words: this.#asking() })
    }
    this.#metadata = { finishReason: ending.finishReason, ...usageOf(this.#usage) }
    return this.#tell('TASK_STATE_COMPLETED', ending.at)
  }

  #asking(): A2aMessage {
    const asked = [...this.#asked.values()]
    return agentMessage(this.#facts, `ask-${asked[0]?.approvalId}`, askingParts(asked))
  }

  #tell(
    state: TaskState,
    at: number | undefined,
    { words, told = {} }: { readonly words?: A2aMessage; readonly told?: object | undefined } = {},
  ): readonly A2aUpdate[] {
    const status = { state, ...(words ? { message: words } : {}), ...timeOf(at) }
    this.#status = status
    const isOver = state !== 'TASK_STATE_WORKING' && this.#metadata !== undefined
    const facts = isOver ? { ...this.#children.metadata, ...this.#metadata } : told
    return [{ statusUpdate: { ...placeOf(this.#facts), status, ...metadataOf(facts) } }]
  }
}

function metadataOf(metadata: object): { readonly metadata?: object } {
  return Object.keys(metadata).length > 0 ? { metadata } : {}
}

function timeOf(at: number | undefined): Pick<TaskStatus, 'timestamp'> {
  return at === undefined ? {} : { timestamp: new Date(at).toISOString() }
}

function usageOf({ input, output }: Usage): object {
  return input === undefined && output === undefined ? {} : { usage: { input, output } }
}
