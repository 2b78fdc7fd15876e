import { createParser } from 'eventsource-parser'

const [url] = process.argv.slice(2)
const response = await fetch(`${url}/v1/chat/completions`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer sk-bench-0123456789' },
  body: JSON.stringify({
    model: 'gpt-4.1',
    stream: true,
    messages: [{ role: 'user', content: 'Hello' }],
  }),
})
const parser = createParser({
  onEvent: ({ data }) => {
    if (data === '[DONE]') return
    /** @type {{ choices: { delta?: { content?: string } }[] }} */
    const { choices } = JSON.parse(data)
    const text = choices[0]?.delta?.content
    if (text) console.log(text)
  },
})
for await (const text of response.body.pipeThrough(new TextDecoderStream())) parser.feed(text)
