// Reads jobs [{name, preset, mode, url, model}] from stdin, asks each through the published client of that
// server, and prints what it made of the answers. Runs on Node 22, which those clients need.
import { createDeepSeek } from '@ai-sdk/deepseek'
import { createGroq } from '@ai-sdk/groq'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createXai } from '@ai-sdk/xai'
import { runJobs } from './gather.mjs'

function clientOf({ preset, url, model }) {
  const options = { baseURL: url, apiKey: 'test-key' }
  if (preset === 'deepseek') return createDeepSeek(options).chat(model)
  if (preset === 'groq') return createGroq(options)(model)
  if (preset === 'xai') return createXai(options).chat(model)
  return createOpenAICompatible({ ...options, name: 'server', includeUsage: true })(model)
}

await runJobs(clientOf)
