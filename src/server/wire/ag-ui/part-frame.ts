import type { RunEvent } from '@braidwork/plugin'
import { withSafeAddress } from '../index.ts'
import { custom } from './events.ts'

type PartEvent = Extract<RunEvent, { type: 'file' | 'source' | 'data' }>

/** Encodes parts that the protocol does not define as custom events, named after their type. */
export function partFrame(event: PartEvent): string {
  const safe = withSafeAddress(event)
  if (safe === undefined) return ''
  const { type, runId: _, seq: _seq, at: _at, providerMetadata: _own, ...value } = safe
  return custom(type, value)
}
