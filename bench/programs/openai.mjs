import OpenAI from 'openai'

const [url] = process.argv.slice(2)
const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-bench-0123456789' })
const stream = await client.chat.completions.create({
  model: 'gpt-4.1',
  stream: true,
  messages: [{ role: 'user', content: 'Hello' }],
})
for await (const chunk of stream) {
  const text = chunk.choices[0]?.delta?.content
  if (text) console.log(text)
}
