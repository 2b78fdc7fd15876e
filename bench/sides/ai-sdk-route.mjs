// AI SDK in a route of Hono, as its documentation shows it. It prints its address.
import { createOpenAI } from '@ai-sdk/openai'
import { serve } from '@hono/node-server'
import { createUIMessageStreamResponse, generateText, streamText, toUIMessageStream } from 'ai'
import { Hono } from 'hono'

const [, , url] = process.argv
const openai = createOpenAI({ apiKey: 'sk-bench-0123456789', baseURL: `${url}/v1` })
const app = new Hono()

app.post('/v1/chat/completions', async (c) => {
  const { model, messages, stream } = await c.req.json()
  const asked = { model: openai.chat(model), messages, abortSignal: c.req.raw.signal }
  if (stream) {
    const answer = toUIMessageStream({ stream: streamText(asked).stream })
    return createUIMessageStreamResponse({ stream: answer })
  }
  const { text, usage, finishReason } = await generateText(asked)
  return c.json({ text, usage, finishReason })
})

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}`)
})
