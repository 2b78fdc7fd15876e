/**
 * A language model of the AI SDK, as far as the provider uses it. The types are structural, so that no package of the AI
 * SDK is needed, and take what the versions 5, 6 and 7 have.
 */

/** The specifications of AI SDK 5, 6 and 7. */
export const SPECIFICATIONS = ['v2', 'v3', 'v4'] as const
export type Specification = (typeof SPECIFICATIONS)[number]

export interface LanguageModel {
  readonly specificationVersion: Specification
  /** The name of the model API, such as `openai.responses`. */
  readonly provider: string
  readonly modelId: string
  /** Patterns of the addresses of files that the model API fetches itself, by media type. */
  readonly supportedUrls?: UrlPatterns | PromiseLike<UrlPatterns>
  doGenerate(options: CallOptions): PromiseLike<GenerateResult>
  doStream(options: CallOptions): PromiseLike<StreamResult>
}

export interface UrlPatterns {
  readonly [mediaType: string]: readonly RegExp[]
}

/** The options differ between the versions; `versions.ts` makes those of each. */
export interface CallOptions {
  readonly abortSignal: AbortSignal
  readonly [option: string]: unknown
}

/** A content of an answer, or a part of a stream, of any version. */
export interface RawPart {
  readonly type: string
  readonly [member: string]: unknown
}

interface RawResponse {
  readonly id?: string
  readonly modelId?: string
  readonly headers?: { readonly [name: string]: string }
}

export interface GenerateResult {
  readonly content: readonly RawPart[]
  readonly finishReason: unknown
  readonly usage: unknown
  readonly response?: RawResponse
  readonly warnings?: readonly unknown[]
}

export interface StreamResult {
  readonly stream: ReadableStream<RawPart>
  readonly response?: Pick<RawResponse, 'headers'>
}
