import { openai } from '@ai-sdk/openai'
import { generateText, isStepCount, tool } from 'ai'
import { z } from 'zod'

const weather = tool({
  description: 'The weather in a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => `Sunny in ${city}.`,
})

const { text } = await generateText({
  model: openai('gpt-5'),
  prompt: 'How is the weather in Rome?',
  tools: { weather },
  stopWhen: isStepCount(16),
})
console.log(text)
