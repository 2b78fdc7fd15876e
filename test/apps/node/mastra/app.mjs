import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'
import * as asked from './cases.mjs'

const PERSON = z.object({ name: z.string(), age: z.number() })
const baseURL = asked.OPENAI_URL

const WAYS = {
  'its own router, Chat Completions': (apiKey, model) => ({
    providerId: 'braidwork',
    modelId: model,
    url: baseURL,
    apiKey,
  }),
  '@ai-sdk/openai-compatible': (apiKey, model) =>
    createOpenAICompatible({ name: 'braidwork', baseURL, apiKey, supportsStructuredOutputs: true })(
      model,
    ),
  '@ai-sdk/openai, Responses': (apiKey, model) => createOpenAI({ baseURL, apiKey })(model),
  '@ai-sdk/anthropic': (apiKey, model) => createAnthropic({ baseURL, apiKey })(model),
}

function casesOf(connect) {
  const agentOf = ({ key = asked.KEY, name = asked.MODEL, tools = {} } = {}) =>
    new Agent({
      id: 'helper',
      name: 'helper',
      instructions: 'Help.',
      model: connect(key, name),
      tools,
      maxRetries: 0,
    })
  const agent = agentOf()
  return {
    plain: async () => asked.echoes((await agent.generate(asked.HELLO)).text),
    streamed: async () => {
      const pieces = []
      for await (const piece of (await agent.stream(asked.HELLO)).textStream) pieces.push(piece)
      asked.echoes(asked.cameInPieces(pieces))
    },
    'client tool': async () => {
      const weather = new asked.Weather()
      const get_weather = createTool({
        id: 'get_weather',
        description: 'Tells the weather.',
        inputSchema: z.object({ city: z.string() }),
        execute: async (input) => weather.report(input),
      })
      weather.wasTold((await agentOf({ tools: { get_weather } }).generate(asked.USE_TOOL)).text)
    },
    'host tool': async () =>
      asked.has((await agent.generate(asked.USE_HOST_TOOL)).text, asked.PRODUCT),
    structured: async () => {
      const structuredOutput = { schema: PERSON }
      asked.isAda((await agent.generate(asked.PERSON, { structuredOutput })).object)
    },
    turns: async () => {
      const word = asked.aWord()
      const first = await agent.generate(word)
      const history = [
        { role: 'user', content: word },
        { role: 'assistant', content: first.text },
        { role: 'user', content: asked.RECALL },
      ]
      asked.has((await agent.generate(history)).text, word)
    },
    image: async () => {
      const image = new asked.Image()
      const content = [
        { type: 'text', text: asked.LOOK },
        { type: 'image', image: image.url, mimeType: 'image/png' },
      ]
      image.wasSeen((await agent.generate([{ role: 'user', content }])).text)
    },
    stop: async () => {
      const count = new asked.Count()
      const stop = new AbortController()
      const answer = await agent.stream(count.question, { abortSignal: stop.signal })
      let seen = 0
      for await (const _ of answer.textStream) if (++seen === 5) stop.abort()
      await count.wasStopped()
    },
    errors: async () => {
      const has = (status) => (error) =>
        error.statusCode === status || error.cause?.statusCode === status
      const ask = (options) => agentOf(options).generate(asked.HELLO)
      await asked.throws(() => ask({ name: asked.UNKNOWN_MODEL }), has(404))
      await asked.throws(() => ask({ key: asked.WRONG_KEY }), has(401))
    },
  }
}

for (const [api, connect] of Object.entries(WAYS)) await asked.run(api, casesOf(connect))
