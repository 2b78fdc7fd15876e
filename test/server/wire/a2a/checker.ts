import { isObject, type JsonObject } from '@braidwork/plugin'
import { sseFrames } from '../frames.ts'
import { IllegalFrame, inner, objectOf } from '../illegal-frame.ts'

const OVER = new Set(['TASK_STATE_COMPLETED', 'TASK_STATE_FAILED', 'TASK_STATE_CANCELED'])
const STATES = new Set([
  ...OVER,
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_INPUT_REQUIRED',
])

/** An artifact as a client has it: its texts together, and its other parts. */
export interface Gathered {
  readonly text: string
  readonly others: readonly JsonObject[]
}

/** Reads frames of A2A 1.0 in HTTP+JSON, and throws at the first that a client would fail at. */
export class A2aChecker {
  readonly artifacts = new Map<string, Gathered>()
  readonly states: string[] = []
  #id: unknown

  /** @throws {IllegalFrame} */
  check(text: string): void {
    for (const frame of sseFrames(text)) {
      const update = objectOf(frame)
      const [kind, other] = Object.keys(update)
      if (kind === undefined || other !== undefined) {
        throw new IllegalFrame('An update has one member', frame.data)
      }
      if (OVER.has(this.states.at(-1) ?? '')) throw new IllegalFrame('The task is over', frame.data)
      this.#take(kind, inner(update, kind), frame.data)
    }
  }

  /** @throws {IllegalFrame} where the task is not over, and waits for nobody */
  end(): void {
    const last = this.states.at(-1) ?? ''
    if (OVER.has(last) || last === 'TASK_STATE_INPUT_REQUIRED') return
    throw new IllegalFrame('The stream ended early', last)
  }

  #take(kind: string, value: JsonObject, text: string): void {
    if ((kind === 'task') !== (this.#id === undefined)) {
      throw new IllegalFrame('The task is not the first update, or not the only one', text)
    }
    if (kind === 'task') this.#begin(value, text)
    else if (value['taskId'] !== this.#id) throw new IllegalFrame('It is of another task', text)
    else if (kind === 'statusUpdate') this.#state(inner(value, 'status'), text)
    else if (kind === 'artifactUpdate') this.#artifact(value, text)
    else throw new IllegalFrame('There is no such update', text)
  }

  #begin(task: JsonObject, text: string): void {
    this.#id = task['id']
    if (typeof this.#id !== 'string' || this.#id === '') throw new IllegalFrame('No id', text)
    this.#state(inner(task, 'status'), text)
    const artifacts = (task['artifacts'] ?? []) as readonly JsonObject[]
    for (const artifact of artifacts) this.#artifact({ artifact }, text)
  }

  #state({ state, message }: JsonObject, text: string): void {
    if (!STATES.has(String(state))) throw new IllegalFrame('There is no such state', text)
    if (message !== undefined) partsOf(message as JsonObject, text)
    this.states.push(String(state))
  }

  #artifact({ artifact, append }: JsonObject, text: string): void {
    const id = isObject(artifact) && artifact['artifactId']
    if (typeof id !== 'string') throw new IllegalFrame('No id of the artifact', text)
    const known = this.artifacts.get(id)
    if (append && !known) throw new IllegalFrame('It appends to nothing', text)
    const before = append && known ? known : { text: '', others: [] }
    const parts = partsOf(artifact as JsonObject, text)
    const texts = parts.map((part) => (typeof part['text'] === 'string' ? part['text'] : ''))
    const others = parts.filter((part) => part['text'] === undefined)
    this.artifacts.set(id, {
      text: before.text + texts.join(''),
      others: [...before.others, ...others],
    })
  }
}

function partsOf(value: JsonObject, text: string): readonly JsonObject[] {
  const { parts } = value
  if (!Array.isArray(parts) || parts.length === 0) throw new IllegalFrame('No parts', text)
  for (const part of parts as readonly JsonObject[]) {
    const contents = ['text', 'raw', 'url', 'data'].filter((name) => part[name] !== undefined)
    if (contents.length !== 1) throw new IllegalFrame('A part has one content', text)
  }
  return parts as readonly JsonObject[]
}
