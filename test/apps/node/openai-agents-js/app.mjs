import {
  Agent,
  MemorySession,
  OpenAIProvider,
  Runner,
  setTracingDisabled,
  tool,
} from '@openai/agents'
import { z } from 'zod'
import * as asked from './cases.mjs'

setTracingDisabled(true)
const PERSON = z.object({ name: z.string(), age: z.number() })

function casesOf(useResponses) {
  const runnerFor = (apiKey) =>
    new Runner({
      modelProvider: new OpenAIProvider({ apiKey, baseURL: asked.OPENAI_URL, useResponses }),
    })
  const runner = runnerFor(asked.KEY)
  const agentOf = (options) =>
    new Agent({ name: 'helper', instructions: 'Help.', model: asked.MODEL, ...options })
  const ask = async (input, options) => (await runner.run(agentOf(options), input)).finalOutput
  return {
    plain: async () => asked.echoes(await ask(asked.HELLO)),
    streamed: async () => {
      const answer = await runner.run(agentOf(), asked.HELLO, { stream: true })
      const pieces = []
      for await (const piece of answer.toTextStream()) pieces.push(piece)
      await answer.completed
      asked.echoes(asked.cameInPieces(pieces))
    },
    'client tool': async () => {
      const weather = new asked.Weather()
      const parameters = z.object({ city: z.string() })
      const description = 'Tells the weather.'
      const own = tool({ name: 'get_weather', description, parameters, execute: weather.report })
      weather.wasTold(await ask(asked.USE_TOOL, { tools: [own] }))
    },
    'host tool': async () => asked.has(await ask(asked.USE_HOST_TOOL), asked.PRODUCT),
    structured: async () => asked.isAda(await ask(asked.PERSON, { outputType: PERSON })),
    turns: async () => {
      const word = asked.aWord()
      const session = new MemorySession()
      for (const question of [word, asked.USE_HOST_TOOL]) {
        await runner.run(agentOf(), question, { session })
      }
      asked.has((await runner.run(agentOf(), asked.RECALL, { session })).finalOutput, word)
      if (!useResponses) return
      const { lastResponseId: previousResponseId } = await runner.run(agentOf(), word)
      const second = await runner.run(agentOf(), asked.RECALL, { previousResponseId })
      asked.has(second.finalOutput, word)
    },
    image: async () => {
      const image = new asked.Image()
      const content = [
        { type: 'input_text', text: asked.LOOK },
        { type: 'input_image', image: image.url },
      ]
      image.wasSeen(await ask([{ role: 'user', content }]))
    },
    stop: async () => {
      const count = new asked.Count()
      const stop = new AbortController()
      const options = { stream: true, signal: stop.signal }
      const answer = await runner.run(agentOf(), count.question, options)
      let seen = 0
      try {
        for await (const _ of answer.toTextStream()) if (++seen === 5) stop.abort()
        await answer.completed
      } catch (error) {
        if (!stop.signal.aborted) throw error
      }
      await count.wasStopped()
    },
    errors: async () => {
      const has = (status) => (error) => error.status === status
      await asked.throws(() => ask(asked.HELLO, { model: asked.UNKNOWN_MODEL }), has(404))
      await asked.throws(() => runnerFor(asked.WRONG_KEY).run(agentOf(), asked.HELLO), has(401))
    },
  }
}

await asked.run('Responses', casesOf(true))
await asked.run('Chat Completions', casesOf(false))
