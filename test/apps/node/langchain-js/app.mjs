import { ChatAnthropic } from '@langchain/anthropic'
import { HumanMessage } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent, providerStrategy, tool } from 'langchain'
import { z } from 'zod'
import * as asked from './cases.mjs'

const PERSON = z.object({ name: z.string(), age: z.number() })
const usual = { maxRetries: 0 }
const configuration = { baseURL: asked.OPENAI_URL }

const WAYS = {
  'Chat Completions': (apiKey, model, options) =>
    new ChatOpenAI({ model, apiKey, configuration, ...usual, ...options }),
  Responses: (apiKey, model, options) =>
    new ChatOpenAI({ model, apiKey, configuration, useResponsesApi: true, ...usual, ...options }),
  Messages: (apiKey, model) =>
    new ChatAnthropic({ model, apiKey, anthropicApiUrl: asked.ORIGIN, ...usual }),
}

function casesOf(connect) {
  const model = connect(asked.KEY, asked.MODEL)
  const ask = async (input) => (await model.invoke(input)).text
  return {
    plain: async () => asked.echoes(await ask(asked.HELLO)),
    streamed: async () => {
      const pieces = []
      for await (const piece of await model.stream(asked.HELLO)) pieces.push(piece.text)
      asked.echoes(asked.cameInPieces(pieces))
    },
    'client tool': async () => {
      const weather = new asked.Weather()
      const about = { name: 'get_weather', schema: z.object({ city: z.string() }) }
      const agent = createAgent({ model, tools: [tool(weather.report, about)] })
      const { messages } = await agent.invoke({ messages: [new HumanMessage(asked.USE_TOOL)] })
      weather.wasTold(messages.at(-1).text)
    },
    'host tool': async () => asked.has(await ask(asked.USE_HOST_TOOL), asked.PRODUCT),
    structured: async () => {
      asked.isAda(await model.withStructuredOutput(PERSON).invoke(asked.PERSON))
      const agent = createAgent({ model, tools: [], responseFormat: providerStrategy(PERSON) })
      const state = await agent.invoke({ messages: [new HumanMessage(asked.PERSON)] })
      asked.isAda(state.structuredResponse)
    },
    turns: async () => {
      const word = asked.aWord()
      const first = await model.invoke(word)
      const history = [new HumanMessage(word), first, new HumanMessage(asked.RECALL)]
      asked.has(await ask(history), word)
      const previous_response_id = first.response_metadata.id
      if (!previous_response_id?.startsWith('resp')) return
      const second = await model.invoke(asked.RECALL, { previous_response_id })
      asked.has(second.text, word)
    },
    image: async () => {
      const image = new asked.Image()
      const content = [
        { type: 'text', text: asked.LOOK },
        { type: 'image', mimeType: 'image/png', data: image.base64 },
      ]
      image.wasSeen(await ask([new HumanMessage({ contentBlocks: content })]))
    },
    stop: async () => {
      const count = new asked.Count()
      const stop = new AbortController()
      let seen = 0
      try {
        const stream = await model.stream(count.question, { signal: stop.signal })
        for await (const _ of stream) if (++seen === 5) stop.abort()
      } catch (error) {
        if (!stop.signal.aborted) throw error
      }
      await count.wasStopped()
    },
    errors: async () => {
      const has = (status) => (error) => error.status === status
      await asked.throws(
        () => connect(asked.KEY, asked.UNKNOWN_MODEL).invoke(asked.HELLO),
        has(404),
      )
      await asked.throws(() => connect(asked.WRONG_KEY, asked.MODEL).invoke(asked.HELLO), has(401))
    },
  }
}

for (const [api, connect] of Object.entries(WAYS)) await asked.run(api, casesOf(connect))
