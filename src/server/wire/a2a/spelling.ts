import type { A2aMessage, A2aPart } from './parts.ts'
import type { A2aArtifact, A2aTask, A2aUpdate, TaskState, TaskStatus } from './task.ts'
import type { A2aVersion } from './version.ts'

/** The states of a task as version 0.3 spells them. */
const STATES: { readonly [state in TaskState]: string } = {
  TASK_STATE_SUBMITTED: 'submitted',
  TASK_STATE_WORKING: 'working',
  TASK_STATE_COMPLETED: 'completed',
  TASK_STATE_FAILED: 'failed',
  TASK_STATE_CANCELED: 'canceled',
  TASK_STATE_INPUT_REQUIRED: 'input-required',
}

/** After these states, a stream of version 0.3 is over. */
const FINAL: ReadonlySet<TaskState> = new Set<TaskState>([
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_INPUT_REQUIRED',
])

/** Writes an update as an event of a stream. */
export function updateIn(version: A2aVersion, update: A2aUpdate): object {
  if (version === '1.0') return update
  if ('task' in update) return oldTask(update.task)
  if ('statusUpdate' in update) {
    const { status, ...rest } = update.statusUpdate
    const final = FINAL.has(status.state)
    return { kind: 'status-update', ...rest, status: oldStatus(status), final }
  }
  const { artifact, ...rest } = update.artifactUpdate
  return { kind: 'artifact-update', ...rest, artifact: oldArtifact(artifact) }
}

/** Writes a task that is the whole answer. */
export function taskIn(version: A2aVersion, task: A2aTask): object {
  return version === '1.0' ? task : oldTask(task)
}

/** Writes a task that answers a message: version 1.0 wraps it, since the answer might be a message. */
export function answerIn(version: A2aVersion, task: A2aTask): object {
  return version === '1.0' ? { task } : oldTask(task)
}

function oldTask({ status, artifacts, ...rest }: A2aTask): object {
  const known = artifacts ? { artifacts: artifacts.map(oldArtifact) } : {}
  return { kind: 'task', ...rest, status: oldStatus(status), ...known }
}

function oldStatus({ state, message, ...rest }: TaskStatus): object {
  return { state: STATES[state], ...(message ? { message: oldMessage(message) } : {}), ...rest }
}

function oldMessage({ parts, role: _, ...rest }: A2aMessage): object {
  return { kind: 'message', ...rest, role: 'agent', parts: parts.map(oldPart) }
}

function oldArtifact({ parts, ...rest }: A2aArtifact): object {
  return { ...rest, parts: parts.map(oldPart) }
}

function oldPart(part: A2aPart): object {
  if ('text' in part) return { kind: 'text', text: part.text }
  if ('data' in part) return { kind: 'data', data: part.data }
  const { mediaType: mimeType, filename } = part
  const facts = { mimeType, ...(filename === undefined ? {} : { name: filename }) }
  const content = 'raw' in part ? { bytes: part.raw } : { uri: part.url }
  return { kind: 'file', file: { ...content, ...facts } }
}
