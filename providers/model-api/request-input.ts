import type { Config, Context, Message, ModelInfo, ModelTool } from '@braidwork/plugin'

/** The data from which a request body is built. */
export interface RequestInput {
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools: readonly ModelTool[]
  readonly config: Config
  readonly modelInfo: ModelInfo
  readonly warn: Context['warn']
}
