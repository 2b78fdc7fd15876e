import { HostError, type Message } from '@braidwork/plugin'
import { isInterruption } from '../interruption.ts'
import type { RunOptions } from '../run-options.ts'
import type { BackendCapabilities, RemoteAgent } from './backend.ts'

type Capability = keyof BackendCapabilities

const WORDS: { readonly [capability in Capability]: string } = {
  cancel: 'cancel a run',
  answers: 'go on after an answer',
  clientTools: 'take tools of the caller',
  rereads: 'go on with a run whose process ended',
  transcript: 'take earlier turns of the conversation',
}

/**
 * Checks that a backend can do all that a run needs. AW-13
 * @throws {HostError} BACKEND_INCAPABLE, with all that is missing
 */
export function assertCapable(
  { id, backend: { capabilities } }: RemoteAgent,
  options: RunOptions,
  messages: readonly Message[],
): void {
  const missing = needsOf(options, messages).filter((need) => !capabilities[need])
  if (missing.length === 0) return
  const list = missing.map((need) => WORDS[need]).join(', or ')
  const message = `The remote agent "${id}" cannot ${list}, which this run needs.`
  throw new HostError('BACKEND_INCAPABLE', message)
}

function needsOf(
  { signal, resume, tools = [] }: RunOptions,
  messages: readonly Message[],
): readonly Capability[] {
  const interrupted = resume !== undefined && isInterruption(resume)
  const needs: readonly (readonly [Capability, boolean])[] = [
    ['cancel', signal !== undefined],
    ['answers', resume !== undefined && !interrupted],
    ['clientTools', tools.length > 0],
    ['rereads', interrupted],
    ['transcript', messages.some(({ role }) => role === 'assistant')],
  ]
  return needs.flatMap(([need, isNeeded]) => (isNeeded ? [need] : []))
}
