import { createOpenAI } from '@ai-sdk/openai'
import { streamText } from 'ai'

const [url] = process.argv.slice(2)
const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-bench-0123456789' })
const { textStream } = streamText({ model: openai.chat('gpt-4.1'), prompt: 'Hello' })
for await (const text of textStream) console.log(text)
