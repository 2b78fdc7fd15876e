// The published packages of peers, each asked as its own documentation does.

import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import {
  streamAnthropic,
  streamOpenAICompletions,
  streamOpenAIResponses,
} from '@earendil-works/pi-ai/compat'
import { ChatAnthropic } from '@langchain/anthropic'
import { ChatOpenAI } from '@langchain/openai'
import { chat } from '@tanstack/ai'
import { createAnthropicChat } from '@tanstack/ai-anthropic'
import { createOpenaiChat, createOpenaiChatCompletions } from '@tanstack/ai-openai'
import { generateText, streamText, wrapLanguageModel } from 'ai'
import OpenAI from 'openai'

const KEY = 'sk-bench-0123456789'
const QUESTION = [{ role: 'user', content: 'Hello' }]

/** Reads a stream to its end, or so many of its events, of which the last is told. */
const drain = async (iterable, most = Number.POSITIVE_INFINITY, shown = undefined) => {
  let count = 0
  for await (const _ of iterable) {
    if (++count < most) continue
    shown?.()
    break
  }
  return count
}

function sdk(url, format, most) {
  if (format === 'messages') {
    const client = new Anthropic({ apiKey: KEY, baseURL: url, maxRetries: 0 })
    const body = { model: 'claude-haiku-4-5', max_tokens: 64_000, messages: QUESTION, stream: true }
    return async (shown) => drain(await client.messages.create(body), most, shown)
  }
  const client = new OpenAI({ apiKey: KEY, baseURL: `${url}/v1`, maxRetries: 0 })
  const model = 'gpt-4.1'
  if (format === 'chat') {
    const body = {
      model,
      messages: QUESTION,
      stream: true,
      stream_options: { include_usage: true },
    }
    return async (shown) => drain(await client.chat.completions.create(body), most, shown)
  }
  const body = { model, input: 'Hello', stream: true }
  return async (shown) => drain(await client.responses.create(body), most, shown)
}

function aiSdkModel(url, format) {
  if (format === 'messages') {
    return createAnthropic({ apiKey: KEY, baseURL: `${url}/v1` })('claude-haiku-4-5')
  }
  const openai = createOpenAI({ apiKey: KEY, baseURL: `${url}/v1` })
  return format === 'chat' ? openai.chat('gpt-4.1') : openai.responses('gpt-4.1')
}

/** Middlewares that look at every part and let it pass. */
const looker = {
  wrapStream: async ({ doStream }) => {
    const { stream, ...rest } = await doStream()
    const look = new TransformStream({ transform: (part, controller) => controller.enqueue(part) })
    return { stream: stream.pipeThrough(look), ...rest }
  },
}

function aiSdk(url, format, { middlewares, most }) {
  const bare = aiSdkModel(url, format)
  const middleware = Array.from({ length: middlewares }, () => looker)
  const model = middlewares > 0 ? wrapLanguageModel({ model: bare, middleware }) : bare
  return async (shown) =>
    drain(streamText({ model, messages: QUESTION, maxRetries: 0 }).fullStream, most, shown)
}

function langChain(url, format, most) {
  const options = { apiKey: KEY, maxRetries: 0 }
  const model =
    format === 'messages'
      ? new ChatAnthropic({ ...options, model: 'claude-haiku-4-5', anthropicApiUrl: url })
      : new ChatOpenAI({
          ...options,
          model: 'gpt-4.1',
          useResponsesApi: format === 'responses',
          configuration: { baseURL: `${url}/v1` },
        })
  return async (shown) => drain(await model.stream([['user', 'Hello']]), most, shown)
}

const PI_APIS = {
  chat: ['openai-completions', streamOpenAICompletions],
  responses: ['openai-responses', streamOpenAIResponses],
  messages: ['anthropic-messages', streamAnthropic],
}

function piAi(url, format, most) {
  const [api, stream] = PI_APIS[format]
  const model = {
    id: format === 'messages' ? 'claude-haiku-4-5' : 'gpt-4.1',
    name: 'bench',
    api,
    provider: format === 'messages' ? 'anthropic' : 'openai',
    baseUrl: format === 'messages' ? url : `${url}/v1`,
    reasoning: false,
    input: ['text'],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 200_000,
    maxTokens: 64_000,
  }
  const context = { messages: [{ role: 'user', content: 'Hello', timestamp: 0 }] }
  return async (shown) => drain(stream(model, context, { apiKey: KEY }), most, shown)
}

function tanStack(url, format, most) {
  const baseURL = `${url}/v1`
  const adapter =
    format === 'messages'
      ? createAnthropicChat('claude-haiku-4-5', KEY, { baseURL: url })
      : format === 'chat'
        ? createOpenaiChatCompletions('gpt-4.1', KEY, { baseURL })
        : createOpenaiChat('gpt-4.1', KEY, { baseURL })
  return async (shown) => drain(chat({ adapter, messages: QUESTION }), most, shown)
}

/** Each peer's stream of a format, read to the end, or so many of its events. */
export function peerSides(url, format, most) {
  const name = format === 'messages' ? '@anthropic-ai/sdk' : 'openai'
  return [
    { what: `${name}, its own iteration`, run: sdk(url, format, most) },
    { what: 'AI SDK, fullStream', run: aiSdk(url, format, { middlewares: 0, most }) },
    { what: 'AI SDK, 3 middlewares', run: aiSdk(url, format, { middlewares: 3, most }) },
    { what: 'LangChain', run: langChain(url, format, most) },
    { what: 'pi-ai', run: piAi(url, format, most) },
    { what: 'TanStack AI', run: tanStack(url, format, most) },
  ]
}

/** Whole answers of chat completions. */
export function sendSides(url) {
  const client = new OpenAI({ apiKey: KEY, baseURL: `${url}/v1`, maxRetries: 0 })
  const model = createOpenAI({ apiKey: KEY, baseURL: `${url}/v1` }).chat('gpt-4.1')
  const body = { model: 'gpt-4.1', messages: QUESTION }
  return [
    { what: 'openai', run: () => client.chat.completions.create(body) },
    { what: 'AI SDK, generateText', run: () => generateText({ model, messages: QUESTION }) },
  ]
}

/** Paced answers of chat completions, piece by piece. */
export function pacedSides(url) {
  const client = new OpenAI({ apiKey: KEY, baseURL: `${url}/v1`, maxRetries: 0 })
  const model = createOpenAI({ apiKey: KEY, baseURL: `${url}/v1` }).chat('gpt-4.1')
  const body = { model: 'gpt-4.1', messages: QUESTION, stream: true }
  return [
    {
      what: 'openai, its own iteration',
      read: async (onText) => {
        for await (const { choices } of await client.chat.completions.create(body)) {
          const content = choices[0]?.delta.content
          if (content) onText(content)
        }
      },
    },
    {
      what: 'AI SDK, fullStream',
      read: async (onText) => {
        for await (const part of streamText({ model, messages: QUESTION, maxRetries: 0 })
          .fullStream) {
          if (part.type === 'text-delta') onText(part.text)
        }
      },
    },
  ]
}

/** An answer of chat completions as the bytes of a UI message stream. */
export function uiSides(url) {
  const model = createOpenAI({ apiKey: KEY, baseURL: `${url}/v1` }).chat('gpt-4.1')
  return [
    {
      what: 'AI SDK, toUIMessageStreamResponse',
      run: async () => {
        const result = streamText({ model, messages: QUESTION, maxRetries: 0 })
        return drain(result.toUIMessageStreamResponse().body)
      },
    },
  ]
}
