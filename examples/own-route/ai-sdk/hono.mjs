import { openai } from '@ai-sdk/openai'
import { convertToModelMessages, isStepCount, streamText, tool } from 'ai'
import { Hono } from 'hono'
import { z } from 'zod'

const weather = tool({
  description: 'The weather in a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => `Sunny in ${city}.`,
})

export const app = new Hono().post('/api/chat', async (c) => {
  const { messages } = await c.req.json()
  const result = streamText({
    model: openai('gpt-5'),
    messages: await convertToModelMessages(messages),
    tools: { weather },
    stopWhen: isStepCount(16),
    abortSignal: c.req.raw.signal,
  })
  return result.toUIMessageStreamResponse()
})
