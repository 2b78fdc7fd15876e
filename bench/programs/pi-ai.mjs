import { stream } from '@earendil-works/pi-ai/api/openai-completions'

const [url] = process.argv.slice(2)
const model = {
  id: 'gpt-4.1',
  name: 'bench',
  api: 'openai-completions',
  provider: 'openai',
  baseUrl: `${url}/v1`,
  reasoning: false,
  input: ['text'],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 200_000,
  maxTokens: 64_000,
}
const context = { messages: [{ role: 'user', content: 'Hello', timestamp: 0 }] }
for await (const event of stream(model, context, {
  apiKey: 'sk-bench-0123456789',
})) {
  if (event.type === 'text_delta') console.log(event.delta)
}
