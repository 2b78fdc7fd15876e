// Reads jobs [{name, api, mode, url, model}] from stdin, asks each through the published client, and
// prints what it made of the answers. Runs on Node 22, which that client needs.
import { createOpenAI } from '@ai-sdk/openai'
import { runJobs } from './gather.mjs'

await runJobs(({ api, url, model }) => {
  const openai = createOpenAI({ baseURL: url, apiKey: 'test-key' })
  return api === 'chat' ? openai.chat(model) : openai.responses(model)
})
