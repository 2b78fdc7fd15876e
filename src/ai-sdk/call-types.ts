/**
 * What the AI SDK asks of a language model. The types take what versions 5, 6 and 7 send, so that one reader serves all
 * three. They are structural: no package of the AI SDK is needed.
 */

/** Values keyed by provider. Only the key `braidwork` is read. */
export interface ProviderOptions {
  readonly [provider: string]: { readonly [key: string]: unknown }
}

interface WithOptions {
  readonly providerOptions?: ProviderOptions | undefined
}

/** The content of a file. Version 7 tags it; the versions before it have the value itself. */
export type FileData =
  | string
  | Uint8Array
  | URL
  | { readonly type: 'data'; readonly data: string | Uint8Array }
  | { readonly type: 'url'; readonly url: URL }
  | { readonly type: 'reference'; readonly reference: object }
  | { readonly type: 'text'; readonly text: string }

export interface FileInput extends WithOptions {
  readonly type: 'file' | 'reasoning-file'
  readonly filename?: string | undefined
  readonly data: FileData
  readonly mediaType: string
}

/** An item of a tool's output. `type` differs between the versions, and so do the fields. */
export interface OutputItem extends WithOptions {
  readonly type: string
  readonly text?: string | undefined
  readonly data?: FileData | undefined
  readonly url?: string | undefined
  readonly mediaType?: string | undefined
  readonly filename?: string | undefined
}

export type ToolOutputInput =
  | { readonly type: 'text' | 'error-text'; readonly value: string }
  | { readonly type: 'json' | 'error-json'; readonly value: unknown }
  | { readonly type: 'execution-denied'; readonly reason?: string | undefined }
  | { readonly type: 'content'; readonly value: readonly OutputItem[] }

export interface CallInput extends WithOptions {
  readonly type: 'tool-call'
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
  readonly providerExecuted?: boolean | undefined
}

export interface ResultInput extends WithOptions {
  readonly type: 'tool-result'
  readonly toolCallId: string
  readonly toolName: string
  readonly output: ToolOutputInput
}

export type PartInput =
  | (WithOptions & { readonly type: 'text' | 'reasoning'; readonly text: string })
  | (WithOptions & { readonly type: 'custom'; readonly kind: string })
  | (WithOptions & { readonly type: 'tool-approval-response'; readonly approvalId: string })
  | FileInput
  | CallInput
  | ResultInput

export type MessageInput = WithOptions &
  (
    | { readonly role: 'system'; readonly content: string }
    | { readonly role: 'user' | 'assistant' | 'tool'; readonly content: readonly PartInput[] }
  )

export interface FunctionTool extends WithOptions {
  readonly type: 'function'
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: object | boolean
  readonly inputExamples?: readonly object[] | undefined
  readonly strict?: boolean | undefined
}

/** A tool that only the SDK's own providers know. */
export interface ProviderTool {
  readonly type: 'provider' | 'provider-defined'
  readonly id: string
  readonly name: string
}

export type ToolChoiceInput =
  | { readonly type: 'auto' | 'none' | 'required' }
  | { readonly type: 'tool'; readonly toolName: string }

/** The options of `doGenerate` and `doStream`. */
export interface CallOptions extends WithOptions {
  readonly prompt: readonly MessageInput[]
  readonly maxOutputTokens?: number | undefined
  readonly temperature?: number | undefined
  readonly stopSequences?: readonly string[] | undefined
  readonly topP?: number | undefined
  readonly topK?: number | undefined
  readonly presencePenalty?: number | undefined
  readonly frequencyPenalty?: number | undefined
  readonly seed?: number | undefined
  readonly responseFormat?:
    | { readonly type: 'text' }
    | {
        readonly type: 'json'
        readonly schema?: object | boolean | undefined
        readonly name?: string | undefined
        readonly description?: string | undefined
      }
    | undefined
  readonly tools?: readonly (FunctionTool | ProviderTool)[] | undefined
  readonly toolChoice?: ToolChoiceInput | undefined
  readonly includeRawChunks?: boolean | undefined
  readonly abortSignal?: AbortSignal | undefined
  readonly headers?: { readonly [name: string]: string | undefined } | undefined
  readonly reasoning?: string | undefined
}
