import type { ChildProgress } from '@braidwork/agent/internal'

/** The most children that a task tells. */
const MOST = 100

/** A child run, as the metadata of a task tells it. */
interface TaskChild extends Pick<ChildProgress, 'runId' | 'agent' | 'parentRunId'> {
  readonly state: NonNullable<ChildProgress['state']> | 'running'
}

/** The runs below a task: of the protocol's tasks none is another's child, so the metadata tells them. */
export class TaskChildren {
  readonly #children = new Map<string, TaskChild>()

  /** Takes the progress of a child in. Returns what the client is told of it: only what is new. */
  add({ runId, agent, parentRunId, state: told }: ChildProgress): object | undefined {
    const state: TaskChild['state'] = told ?? 'running'
    const known = this.#children.get(runId)
    if (known?.state === state || (!known && this.#children.size >= MOST)) return undefined
    const child = { runId, agent, parentRunId, state }
    this.#children.set(runId, child)
    return { children: [child] }
  }

  /** What the metadata of the task tells of all children. */
  get metadata(): object {
    return this.#children.size === 0 ? {} : { children: [...this.#children.values()] }
  }
}
