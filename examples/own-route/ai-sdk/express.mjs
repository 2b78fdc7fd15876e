import { openai } from '@ai-sdk/openai'
import { convertToModelMessages, isStepCount, streamText, tool } from 'ai'
import express from 'express'
import { z } from 'zod'

const weather = tool({
  description: 'The weather in a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => `Sunny in ${city}.`,
})

export const app = express().post('/api/chat', express.json(), async (request, response) => {
  const cancel = new AbortController()
  response.on('close', () => cancel.abort())
  const result = streamText({
    model: openai('gpt-5'),
    messages: await convertToModelMessages(request.body.messages),
    tools: { weather },
    stopWhen: isStepCount(16),
    abortSignal: cancel.signal,
  })
  result.pipeUIMessageStreamToResponse(response)
})
