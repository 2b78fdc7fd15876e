import { type Difference, itAnswersAlike } from '../peers.ts'
import { anthropicHost, configFor, recordings } from './asking.ts'

const DIFFERENCES: readonly Difference[] = [
  {
    on: /code-execution|messages\/hosted\.json/,
    in: ['calls'],
    because: 'it gives the calls of bash and of the text editor the name of another tool',
  },
  {
    on: /programmatic-tool-calling\.1\.(json|chunks\.txt#1$)|web-fetch-tool-20260209/,
    in: ['calls'],
    because: 'it adds a member of its own to the arguments of code',
  },
  {
    on: /compaction|messages\/hosted\.json/,
    in: ['text'],
    because: 'it shows a summary of the conversation as a part of the answer',
  },
  {
    on: /messages\/hosted\.json/,
    in: ['input', 'cacheRead'],
    because: 'it adds up what the iterations read, but not what they read from the cache',
  },
  {
    on: /messages\/hosted\.chunks/,
    in: ['answer'],
    because: 'it refuses a stream with a file that code has uploaded',
  },
  {
    on: /messages\/everything/,
    in: ['sources'],
    because: 'it leaves out which of the pages that a search found the text cites',
  },
  {
    on: /messages\/refused|spliced-message-start/,
    in: ['answer'],
    because: 'both of us refuse it, each in its way',
  },
]

describe('the Anthropic provider beside the published @ai-sdk/anthropic', () => {
  itAnswersAlike({
    recordings: recordings(),
    differences: DIFFERENCES,
    runner: 'ai-sdk-anthropic.mjs',
    host: anthropicHost,
    configFor: (server) => configFor(server),
    jobFor: () => ({ model: 'claude-sonnet-4-5' }),
  })
})
