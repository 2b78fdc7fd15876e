// Reads jobs [{name, mode, url, model}] from stdin, asks each through the published client, and prints what it
// made of the answers. Runs on Node 22, which that client needs.
import { createAnthropic } from '@ai-sdk/anthropic'
import { runJobs } from './gather.mjs'

await runJobs(({ url, model }) => createAnthropic({ baseURL: url, apiKey: 'test-key' })(model))
