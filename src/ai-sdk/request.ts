import type { OpenedConfig, RequestStream, Result } from '@braidwork/core'
import { HostError } from '@braidwork/plugin'
import type { Warning } from './answer-types.ts'
import { callConfig, toolChoiceOf } from './call-config.ts'
import type { CallOptions } from './call-types.ts'
import type { AnswerContext } from './content.ts'
import { cancelled, sdkError } from './errors.ts'
import { messagesOf } from './prompt.ts'

/** The one request of a call. */
export interface Asked {
  readonly stream: RequestStream
  readonly context: AnswerContext
  /** Complete once the first event of the answer has come. */
  readonly warnings: Warning[]
  /** Ends what was opened for the call. */
  readonly end: () => void
}

/** Begins the one request of a call. @throws {HostError} if the options or the prompt cannot be used */
export async function ask(
  opened: OpenedConfig,
  options: CallOptions,
  mode: 'send' | 'stream',
): Promise<Asked> {
  const { layer, tools, warnings: first } = callConfig(options, opened)
  const warnings = [...first]
  // Throws if the opened config was ended.
  await opened.offer()
  const own = await opened.reopen(layer, { tools, withholds })
  try {
    const offered = await own.offer()
    const modelNames = new Map(offered.map(({ ownName, name }) => [ownName, name]))
    const sdkNames = new Map(offered.map(({ ownName, name }) => [name, ownName]))
    const modelName = (name: string) => modelNames.get(name) ?? name
    const warn = (warning: Warning) => warnings.push(warning)
    for (const { level, message } of own.resolved.diagnostics) {
      if (level !== 'info') warn({ type: 'other', message })
    }
    const toolChoice = toolChoiceOf(options.toolChoice, modelName)
    const { abortSignal: signal } = options
    const stream = own.ask(messagesOf(options.prompt, { modelName, warn }), {
      mode,
      // The AI SDK repeats requests itself.
      isRepeated: true,
      onWarning: (message) => warn({ type: 'other', message }),
      ...(signal ? { signal } : {}),
      ...(toolChoice ? { toolChoice } : {}),
    })
    let sources = 0
    const context: AnswerContext = {
      sdkName: (name) => sdkNames.get(name) ?? name,
      isKnown: (name) => tools.some((tool) => tool.name === name),
      newId: () => `source-${sources++}`,
    }
    return { stream, context, warnings, end: () => own.end() }
  } catch (error) {
    own.end()
    throw error
  }
}

/** The tools of plugins are not shown to the model, since the AI SDK could not run their calls. */
function withholds({ plugin }: { readonly plugin?: string | undefined }): string | undefined {
  return plugin === undefined ? undefined : 'the AI SDK runs the tools of this request'
}

/** The error for a request that did not end well. */
export function failureOf({ error }: Result, { abortSignal }: CallOptions): Error {
  if (abortSignal?.aborted) return cancelled(abortSignal)
  return sdkError(error ?? new HostError('PROVIDER_FAILED', 'The request failed.'))
}
