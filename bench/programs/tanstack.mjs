import { chat } from '@tanstack/ai'
import { createOpenaiChatCompletions } from '@tanstack/ai-openai'

const [url] = process.argv.slice(2)
const adapter = createOpenaiChatCompletions('gpt-4.1', 'sk-bench-0123456789', {
  baseURL: `${url}/v1`,
})
for await (const event of chat({ adapter, messages: [{ role: 'user', content: 'Hello' }] })) {
  if (event.delta) console.log(event.delta)
}
