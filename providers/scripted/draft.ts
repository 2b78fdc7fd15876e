import type { FinishReason, JsonObject } from '@braidwork/plugin'
import type { Content, NativeUsage } from './native.ts'
import type { Fault } from './script.ts'

/** An answer before limits, finish reason and usage are applied. */
export interface Draft {
  readonly content: readonly Content[]
  readonly finish_reason?: FinishReason
  readonly usage?: NativeUsage
  readonly chunks?: readonly number[]
  readonly fault?: Fault
  readonly metadata?: JsonObject
  /** The index of the script rule that produced it. */
  readonly rule?: number
}
