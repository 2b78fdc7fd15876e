import type { A2aMessage, A2aPart } from './parts.ts'

export type TaskState =
  | 'TASK_STATE_SUBMITTED'
  | 'TASK_STATE_WORKING'
  | 'TASK_STATE_COMPLETED'
  | 'TASK_STATE_FAILED'
  | 'TASK_STATE_CANCELED'
  | 'TASK_STATE_INPUT_REQUIRED'

export interface TaskStatus {
  readonly state: TaskState
  readonly message?: A2aMessage
  readonly timestamp?: string
}

export interface A2aArtifact {
  readonly artifactId: string
  readonly name: string
  readonly parts: readonly A2aPart[]
}

/** A task in the form of version 1.0. */
export interface A2aTask {
  readonly id: string
  readonly contextId: string
  readonly status: TaskStatus
  readonly artifacts?: readonly A2aArtifact[]
  readonly metadata?: object
}

/** A change of a task in the form of version 1.0, with the task itself as the first. */
export type A2aUpdate =
  | { readonly task: A2aTask }
  | { readonly statusUpdate: StatusUpdate }
  | { readonly artifactUpdate: ArtifactUpdate }

export interface StatusUpdate {
  readonly taskId: string
  readonly contextId: string
  readonly status: TaskStatus
  readonly metadata?: object
}

export interface ArtifactUpdate {
  readonly taskId: string
  readonly contextId: string
  readonly artifact: A2aArtifact
  readonly append?: boolean
  readonly lastChunk?: boolean
}
