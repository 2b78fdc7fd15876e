import type Anthropic from '@anthropic-ai/sdk'
import { expect } from 'chai'
import type OpenAI from 'openai'
import type { MessagesChunk, MessagesRequest } from '../../providers/anthropic/index.ts'
import type {
  ChatChunk,
  ChatRequest,
  ResponsesChunk,
  ResponsesRequest,
} from '../../providers/openai/index.ts'
import type { Extension, State } from '../../src/plugin/index.ts'

/** A type of an SDK, which may have an interface where ours has further fields. */
type Open<T> = T extends string | number | boolean
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Open<Item>[]
    : T extends object
      ? { [K in keyof T]: Open<T[K]> }
      : T

/** Compiles only if the vendor's type is one of ours. */
type IsOurs<Ours, Theirs extends Ours> = Theirs

type Checked = readonly [
  IsOurs<ChatRequest, Open<OpenAI.ChatCompletionCreateParamsStreaming>>,
  IsOurs<ChatChunk, Open<OpenAI.ChatCompletionChunk>>,
  IsOurs<ResponsesRequest, Open<OpenAI.Responses.ResponseCreateParamsStreaming>>,
  IsOurs<ResponsesChunk, Open<OpenAI.Responses.ResponseStreamEvent>>,
  IsOurs<MessagesRequest, Open<Anthropic.MessageCreateParamsStreaming>>,
  IsOurs<MessagesChunk, Open<Anthropic.RawMessageStreamEvent>>,
]

describe('the types of native requests and chunks', () => {
  it('take all that the SDKs of the vendors send and read', () => {
    // The compiler checks it; a value of the type is needed for nothing else.
    const checked: Checked | undefined = undefined
    expect(checked).to.equal(undefined)
  })

  it('let an extension change requests and read chunks without a cast', () => {
    const told: (string | null | undefined)[] = []
    const extension = {
      kind: 'extension',
      name: 'typed',
      toNative: (_messages, native) => ({ ...native, stop: [native.model] }),
      processChunk: (chunk, partials, finals, native, state) => {
        told.push(chunk.choices?.[0]?.delta?.content)
        return [partials, finals, native, state]
      },
    } satisfies Extension<ChatRequest, State, ChatChunk>
    const request: ChatRequest = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] }
    const chunk: ChatChunk = { choices: [{ delta: { content: 'Hi' } }] }
    expect(extension.toNative([], request)).to.deep.equal({ ...request, stop: ['m'] })
    extension.processChunk(chunk, [], [], request, {})
    expect(told).to.deep.equal(['Hi'])
  })
})
