import { openai } from '@ai-sdk/openai'
import { convertToModelMessages, isStepCount, streamText, tool } from 'ai'
import { z } from 'zod'

const weather = tool({
  description: 'The weather in a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => `Sunny in ${city}.`,
})

export async function POST(request) {
  const { messages } = await request.json()
  const result = streamText({
    model: openai('gpt-5'),
    messages: await convertToModelMessages(messages),
    tools: { weather },
    stopWhen: isStepCount(16),
    abortSignal: request.signal,
  })
  return result.toUIMessageStreamResponse()
}
