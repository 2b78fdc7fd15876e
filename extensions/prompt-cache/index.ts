import type { Extension } from '@braidwork/plugin'
import { markRequest } from './mark-request.ts'
import { CONFIG_SCHEMA, readMark } from './settings.ts'

type Native = { readonly [key: string]: unknown }

export default {
  kind: 'extension',
  name: 'prompt-cache',
  // What is written to a cache and never read again costs more than without it.
  defaultEnabled: false,
  // The marks are those of the messages API.
  requiredTags: ['prompt-caching', 'messages'],
  configSchema: CONFIG_SCHEMA,

  initializeRequest: (native, state, { config }) => [markRequest(native, readMark(config)), state],
} satisfies Extension<Native>
