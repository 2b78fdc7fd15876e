import type {
  CommonPart,
  CustomContent,
  FileContent,
  FinishReason,
  GenerateResult,
  PlainContent,
  StreamPart,
  TextContent,
  Usage,
  Warning,
} from './answer-types.ts'
import type { CallOptions } from './call-types.ts'

/** A language model as the AI SDK takes it. */
interface Model<V extends string, Part, Result> {
  readonly specificationVersion: V
  /** `braidwork.` and the name of the provider plugin. */
  readonly provider: string
  readonly modelId: string
  /** The addresses that are passed on. The AI SDK loads files from all others. */
  readonly supportedUrls: Record<string, RegExp[]>
  doGenerate(options: CallOptions): Promise<Result>
  doStream(options: CallOptions): Promise<{ stream: ReadableStream<Part> }>
}

/** A file in the versions before 7. Those have no files by address. */
export interface OlderFile extends Omit<FileContent, 'data'> {
  data: string
}

type OlderContent = Exclude<PlainContent, FileContent | CustomContent> | OlderFile

export type Warning5 =
  | { type: 'unsupported-setting'; setting: string; details?: string }
  | { type: 'other'; message: string }

export interface Usage5 {
  inputTokens: number | undefined
  outputTokens: number | undefined
  totalTokens: number | undefined
  reasoningTokens?: number | undefined
  cachedInputTokens?: number | undefined
}

type Start<W> = { type: 'stream-start'; warnings: W[] }
type Finish<R, U> = { type: 'finish'; finishReason: R; usage: U }

export type StreamPart6 = CommonPart | OlderContent | Start<Warning> | Finish<FinishReason, Usage>

export type StreamPart5 =
  | CommonPart
  | OlderContent
  | Start<Warning5>
  | Finish<FinishReason['unified'], Usage5>

type Older<R, U, W> = Pick<GenerateResult, 'response'> & {
  content: (TextContent | OlderContent)[]
  finishReason: R
  usage: U
  warnings: W[]
}

export type GenerateResult6 = Older<FinishReason, Usage, Warning>
export type GenerateResult5 = Older<FinishReason['unified'], Usage5, Warning5>

/** A `LanguageModelV4`, which version 7 of the AI SDK takes. */
export type LanguageModel7 = Model<'v4', StreamPart, GenerateResult>
/** A `LanguageModelV3`, which versions 6 and 7 of the AI SDK take. */
export type LanguageModel6 = Model<'v3', StreamPart6, GenerateResult6>
/** A `LanguageModelV2`, which versions 5, 6 and 7 of the AI SDK take. */
export type LanguageModel5 = Model<'v2', StreamPart5, GenerateResult5>
