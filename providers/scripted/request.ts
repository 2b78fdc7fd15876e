import type { ResponseFormat, ToolChoice } from '@braidwork/plugin'
import type { NativeMessage, NativeTool } from './native.ts'
import type { Fault, Rule } from './script.ts'

/** When an answer begins with reasoning. */
export type Reasoning = 'never' | 'for-calls' | 'always'

/** The native request of this provider: everything that the answer depends on. */
export interface ScriptedRequest {
  readonly model: string
  readonly messages: readonly NativeMessage[]
  readonly tools: readonly NativeTool[]
  readonly tool_choice: ToolChoice
  readonly parallel_tool_calls: boolean
  readonly reasoning: Reasoning
  readonly max_reasoning_tokens?: number
  readonly stop: readonly string[]
  readonly max_output_tokens?: number
  readonly response_format?: ResponseFormat
  readonly script: readonly Rule[]
  readonly fault?: Fault
  readonly delay_ms: number
}
