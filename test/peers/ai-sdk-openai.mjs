// Reads jobs [{name, api, mode, url, model, version, headers}] from stdin, asks each through the published client of that
// version, and prints what it made of the answers. Runs on Node 22, which the newest client needs.
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAI as createOpenAI2 } from '@ai-sdk/openai-2'
import { createOpenAI as createOpenAI3 } from '@ai-sdk/openai-3'
import { runJobs } from './gather.mjs'

const OLDER = { 2: createOpenAI2, 3: createOpenAI3 }

await runJobs(({ api, url, model, version, headers }) => {
  const openai = (OLDER[version] ?? createOpenAI)({ baseURL: url, apiKey: 'test-key', headers })
  return api === 'chat' ? openai.chat(model) : openai.responses(model)
})
