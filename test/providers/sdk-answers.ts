import { createRequire } from 'node:module'
import type { Message } from '../../src/core/index.ts'
import type { Subject } from '../hostile/answers.ts'

/** What is compared of an answer. */
export interface Seen {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly { readonly name: string; readonly input: unknown }[]
  readonly usage: { readonly input: number | undefined; readonly output: number | undefined }
  readonly finishReason: string
}

/** Calls of hosted tools whose items have no name and no arguments: there is nothing to compare. */
const OF_ITEMS =
  /^(web_search|file_search|code_interpreter|image_generation|shell|local_shell|apply_patch|tool_search|computer|program)$/

/** Ours, as it is compared. */
export function seenOf(messages: readonly Message[], isResponse: boolean): Seen {
  const [{ parts, metadata = {} } = { parts: [] }] = messages
  const textOf = (type: 'text' | 'reasoning') =>
    parts.map((part) => (part.type === type ? part.text : '')).join('')
  return {
    text: textOf('text'),
    reasoning: textOf('reasoning'),
    calls: parts.flatMap((part) =>
      part.type === 'tool-call' && !(isResponse && OF_ITEMS.test(part.name))
        ? [{ name: part.name, input: part.input }]
        : [],
    ),
    usage: { input: metadata.usage?.input, output: metadata.usage?.output },
    finishReason: metadata.finishReason ?? '',
  }
}

interface Streams {
  stream(body: object): {
    finalChatCompletion(): Promise<Completion>
    finalResponse(): Promise<Response>
    finalMessage(): Promise<Answer>
  }
}

/** The vendors' clients, as far as they are used. */
export interface Clients {
  readonly openai: { readonly chat: { readonly completions: Streams }; readonly responses: Streams }
  readonly anthropic: { readonly messages: Streams }
}

/** Clients of the versions that the providers have, which ask one server. */
export function clientsOf(url: string): Clients {
  const from = (provider: string) =>
    createRequire(new URL(`../../providers/${provider}/index.ts`, import.meta.url))
  const { OpenAI } = from('openai')('openai') as { OpenAI: Maker<Clients['openai']> }
  const { Anthropic } = from('anthropic')('@anthropic-ai/sdk') as {
    Anthropic: Maker<Clients['anthropic']>
  }
  const options = { baseURL: url, apiKey: 'replayed', maxRetries: 0, logLevel: 'off' }
  return { openai: new OpenAI(options), anthropic: new Anthropic(options) }
}

type Maker<C> = new (options: object) => C

const ASKED = { model: 'recorded', messages: [{ role: 'user', content: 'Hello' }] }

/** What a vendor's helper makes of the answer that the server gives. */
export async function finalOf(clients: Clients, { place }: Subject): Promise<Partial<Seen>> {
  if (place.api === 'messages') {
    const stream = clients.anthropic.messages.stream({ ...ASKED, max_tokens: 1000 })
    return seenOfAnswer(await stream.finalMessage())
  }
  if (place.api === 'chat') {
    return seenOfCompletion(
      await clients.openai.chat.completions.stream(ASKED).finalChatCompletion(),
    )
  }
  const stream = clients.openai.responses.stream({ model: 'recorded', input: 'Hello' })
  return seenOfResponse(await stream.finalResponse())
}

interface Completion {
  readonly choices: readonly {
    readonly finish_reason: string
    readonly message: {
      readonly content: string | null
      readonly refusal?: string | null
      readonly tool_calls?: readonly {
        readonly function: { readonly name: string; readonly arguments: string }
      }[]
    }
  }[]
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number }
}

const CHAT_REASONS: { readonly [reason: string]: string } = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  content_filter: 'content-filter',
}

/** It passes over the reasoning, which no API of its vendor tells. */
function seenOfCompletion({ choices, usage }: Completion): Omit<Seen, 'reasoning'> {
  const [choice] = choices
  const { content, refusal, tool_calls: calls = [] } = choice!.message
  return {
    text: `${content ?? ''}${refusal ?? ''}`,
    calls: calls.map(({ function: called }) => ({
      name: called.name,
      input: parsed(called.arguments),
    })),
    usage: { input: usage?.prompt_tokens, output: usage?.completion_tokens },
    finishReason: CHAT_REASONS[choice!.finish_reason] ?? 'other',
  }
}

interface Item {
  readonly type: string
  readonly name?: string
  readonly arguments?: string
  readonly input?: string
  readonly content?: readonly { readonly text?: string; readonly refusal?: string }[]
  readonly summary?: readonly { readonly text: string }[]
}

interface Response {
  readonly status: string
  readonly incomplete_details?: { readonly reason?: string } | null
  readonly output: readonly Item[]
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number }
}

function seenOfResponse(response: Response): Seen {
  const { output, usage } = response
  const textsOf = (type: string) =>
    output
      .filter((item) => item.type === type)
      .flatMap(({ summary = [], content }) => [...summary, ...(content ?? [])])
      .map((entry) => ('refusal' in entry ? entry.refusal : entry.text) ?? '')
      .join('')
  return {
    text: textsOf('message'),
    reasoning: textsOf('reasoning'),
    calls: output.flatMap((item) => {
      const { type, name, arguments: args = '', input } = item
      if (type === 'custom_tool_call') return [{ name: name ?? '', input }]
      if (type === 'function_call') return [{ name: name ?? '', input: parsed(args) }]
      const isMcp = type === 'mcp_call' || type === 'mcp_approval_request'
      return isMcp ? [{ name: `mcp.${name}`, input: parsed(args) }] : []
    }),
    usage: { input: usage?.input_tokens, output: usage?.output_tokens },
    finishReason: reasonOf(response),
  }
}

const WAITING = /^(function_call|custom_tool_call|local_shell_call|apply_patch_call|computer_call)$/

function reasonOf({ output, incomplete_details: details }: Response): string {
  if (details?.reason) return details.reason === 'max_output_tokens' ? 'length' : 'content-filter'
  if (output.some(({ type }) => WAITING.test(type))) return 'tool-calls'
  const refuses = output.some(({ content }) => content?.some((entry) => 'refusal' in entry))
  return refuses ? 'content-filter' : 'stop'
}

interface Answer {
  readonly content: readonly {
    readonly type: string
    readonly text?: string
    readonly thinking?: string
    readonly name?: string
    readonly input?: unknown
  }[]
  readonly stop_reason: string
  readonly usage: {
    readonly input_tokens: number
    readonly output_tokens: number
    readonly cache_read_input_tokens?: number | null
    readonly cache_creation_input_tokens?: number | null
  }
}

const MESSAGE_REASONS: { readonly [reason: string]: string } = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  tool_use: 'tool-calls',
  refusal: 'content-filter',
}

function seenOfAnswer({ content, stop_reason: reason, usage }: Answer): Seen {
  const { input_tokens, cache_read_input_tokens: read, cache_creation_input_tokens: made } = usage
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    reasoning: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    calls: content
      .filter(({ type }) => type.endsWith('tool_use'))
      .map(({ name = '', input }) => ({ name, input })),
    usage: { input: input_tokens + (read ?? 0) + (made ?? 0), output: usage.output_tokens },
    finishReason: MESSAGE_REASONS[reason] ?? 'other',
  }
}

function parsed(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    return text
  }
}
