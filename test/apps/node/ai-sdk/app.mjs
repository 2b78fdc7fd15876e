import { createAnthropic } from '@ai-sdk/anthropic'
import { createAzure } from '@ai-sdk/azure'
import { createCerebras } from '@ai-sdk/cerebras'
import { createDeepInfra } from '@ai-sdk/deepinfra'
import { createDeepSeek } from '@ai-sdk/deepseek'
import { createFireworks } from '@ai-sdk/fireworks'
import { createGroq } from '@ai-sdk/groq'
import { createMistral } from '@ai-sdk/mistral'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createPerplexity } from '@ai-sdk/perplexity'
import { createTogetherAI } from '@ai-sdk/togetherai'
import { createXai } from '@ai-sdk/xai'
import { createOpenRouter } from '@openrouter/ai-sdk-provider'
import { APICallError, generateText, isStepCount, Output, streamText, tool } from 'ai'
import { z } from 'zod'
import * as asked from './cases.mjs'

const PERSON = z.object({ name: z.string(), age: z.number() })
const baseURL = asked.OPENAI_URL

/** The ways to connect: each makes a model of a key and a name. */
const WAYS = {
  '@ai-sdk/openai, Responses': (apiKey, name) => createOpenAI({ baseURL, apiKey })(name),
  '@ai-sdk/openai, Chat Completions': (apiKey, name) =>
    createOpenAI({ baseURL, apiKey }).chat(name),
  '@ai-sdk/anthropic': (apiKey, name) => createAnthropic({ baseURL, apiKey })(name),
  '@ai-sdk/openai-compatible': (apiKey, name) =>
    createOpenAICompatible({ name: 'braidwork', baseURL, apiKey, supportsStructuredOutputs: true })(
      name,
    ),
  '@ai-sdk/azure': (apiKey, name) =>
    createAzure({ baseURL, apiKey: 'none', headers: { authorization: `Bearer ${apiKey}` } }).chat(
      name,
    ),
  '@ai-sdk/cerebras': (apiKey, name) => createCerebras({ baseURL, apiKey })(name),
  '@ai-sdk/deepseek': (apiKey, name) => createDeepSeek({ baseURL, apiKey })(name),
  '@ai-sdk/fireworks': (apiKey, name) => createFireworks({ baseURL, apiKey })(name),
  '@ai-sdk/groq': (apiKey, name) => createGroq({ baseURL, apiKey })(name),
  '@ai-sdk/mistral': (apiKey, name) => createMistral({ baseURL, apiKey })(name),
  '@ai-sdk/perplexity': (apiKey, name) => createPerplexity({ baseURL, apiKey })(name),
  '@ai-sdk/togetherai': (apiKey, name) => createTogetherAI({ baseURL, apiKey })(name),
  '@ai-sdk/xai': (apiKey, name) => createXai({ baseURL, apiKey })(name),
  '@openrouter/ai-sdk-provider': (apiKey, name) => createOpenRouter({ baseURL, apiKey })(name),
}

function casesOf(connect) {
  const model = connect(asked.KEY, asked.MODEL)
  return {
    plain: async () => asked.echoes((await generateText({ model, prompt: asked.HELLO })).text),
    streamed: async () => {
      const pieces = []
      for await (const piece of streamText({ model, prompt: asked.HELLO }).textStream)
        pieces.push(piece)
      asked.echoes(asked.cameInPieces(pieces))
    },
    'client tool': async () => {
      const weather = new asked.Weather()
      const inputSchema = z.object({ city: z.string() })
      const tools = { get_weather: tool({ inputSchema, execute: weather.report }) }
      const answer = await generateText({
        model,
        tools,
        stopWhen: isStepCount(3),
        prompt: asked.USE_TOOL,
      })
      weather.wasTold(answer.text)
    },
    'host tool': async () => {
      const { text } = await generateText({ model, prompt: asked.USE_HOST_TOOL })
      asked.has(text, asked.PRODUCT)
    },
    structured: async () => {
      const output = Output.object({ schema: PERSON })
      asked.isAda((await generateText({ model, output, prompt: asked.PERSON })).output)
    },
    turns: async () => {
      const word = asked.aWord()
      const messages = [{ role: 'user', content: word }]
      for (const question of [asked.USE_HOST_TOOL, asked.RECALL]) {
        const { response, responseMessages = response.messages } = await generateText({
          model,
          messages,
        })
        messages.push(...responseMessages, { role: 'user', content: question })
      }
      asked.has((await generateText({ model, messages })).text, word)
    },
    image: async () => {
      const image = new asked.Image()
      const content = [
        { type: 'text', text: asked.LOOK },
        { type: 'file', mediaType: 'image/png', data: image.bytes },
      ]
      image.wasSeen((await generateText({ model, messages: [{ role: 'user', content }] })).text)
    },
    stop: async () => {
      const count = new asked.Count()
      const stop = new AbortController()
      const answer = streamText({ model, prompt: count.question, abortSignal: stop.signal })
      let seen = 0
      for await (const _ of answer.textStream) if (++seen === 5) stop.abort()
      await count.wasStopped()
    },
    errors: async () => {
      const ask = (model) => generateText({ model, prompt: asked.HELLO, maxRetries: 0 })
      const has = (status) => (error) =>
        APICallError.isInstance(error) && error.statusCode === status
      await asked.throws(() => ask(connect(asked.KEY, asked.UNKNOWN_MODEL)), has(404))
      await asked.throws(() => ask(connect(asked.WRONG_KEY, asked.MODEL)), has(401))
    },
  }
}

/** What a provider has no word for. */
const LACKING = {
  '@ai-sdk/perplexity': { 'client tool': 'the provider sends no tools' },
}

for (const [api, connect] of Object.entries(WAYS)) {
  await asked.run(api, { ...casesOf(connect), ...LACKING[api] })
}

// It appends a path of its own server to each address.
const deepInfra = createDeepInfra({ baseURL: asked.ORIGIN, apiKey: asked.KEY })
await asked.throws(
  () => generateText({ model: deepInfra(asked.MODEL), prompt: asked.HELLO, maxRetries: 0 }),
  (error) => error.url.endsWith('/openai/chat/completions') && error.statusCode === 404,
)
const why =
  'the provider asks for `/openai/chat/completions` below any address, a path of DeepInfra alone'
const all = Object.keys(casesOf(deepInfra)).map((name) => [name, why])
await asked.run('@ai-sdk/deepinfra', Object.fromEntries(all))
