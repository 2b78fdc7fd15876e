import { type Difference, itAnswersAlike } from '../peers.ts'
import { compatibleHost, configFor } from './asking.ts'
import { recordings } from './recordings.ts'

/** Where we differ from the published clients, and why that is right. */
const DIFFERENCES: readonly Difference[] = [
  {
    on: /openai-compatible\/chat\/xai-/,
    in: ['output'],
    because:
      'it leaves the reasoning out of the output where the server counts it beside; the total has it',
  },
  {
    on: /fixtures\/citations/,
    in: ['sources'],
    because: 'it passes over the list of cited addresses',
  },
  {
    on: /fixtures\/legacy-function/,
    in: ['calls'],
    because: 'it passes over the old form of a call, and still ends with "tool-calls"',
  },
  {
    on: /fixtures\/summary-alone/,
    in: ['reasoning'],
    because: 'it passes over reasoning_details',
  },
  {
    on: /fixtures\/thinking-in-content/,
    in: ['cacheRead'],
    because: 'it passes over the cached input where it stands beside the details',
  },
  {
    on: /fixtures\/usage-of-groq\.chunks/,
    in: ['input', 'output'],
    because: 'it passes over the usage in x_groq',
  },
]

describe('the OpenAI-compatible provider beside the published @ai-sdk clients', () => {
  itAnswersAlike({
    recordings: recordings(),
    differences: DIFFERENCES,
    runner: 'ai-sdk-compatible.mjs',
    host: compatibleHost,
    configFor: (server, { preset }) => configFor(server, preset ? { preset } : {}),
    jobFor: ({ preset }) => ({ preset, model: 'some-model' }),
  })
})
