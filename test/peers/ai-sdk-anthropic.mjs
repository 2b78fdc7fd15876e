// Reads jobs [{name, mode, url, model, version}] from stdin, asks each through the published client of that version, and
// prints what it made of the answers. Runs on Node 22, which the newest client needs.
import { createAnthropic } from '@ai-sdk/anthropic'
import { createAnthropic as createAnthropic2 } from '@ai-sdk/anthropic-2'
import { createAnthropic as createAnthropic3 } from '@ai-sdk/anthropic-3'
import { runJobs } from './gather.mjs'

const OLDER = { 2: createAnthropic2, 3: createAnthropic3 }

await runJobs(({ url, model, version }) =>
  (OLDER[version] ?? createAnthropic)({ baseURL: url, apiKey: 'test-key' })(model),
)
