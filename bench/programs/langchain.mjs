import { ChatOpenAI } from '@langchain/openai'

const [url] = process.argv.slice(2)
const model = new ChatOpenAI({
  model: 'gpt-4.1',
  apiKey: 'sk-bench-0123456789',
  configuration: { baseURL: `${url}/v1` },
})
for await (const chunk of await model.stream('Hello')) {
  if (chunk.content) console.log(chunk.content)
}
