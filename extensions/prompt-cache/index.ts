import type { Extension } from '@braidwork/plugin'
import { markRequest } from './mark-request.ts'
import { CONFIG_SCHEMA, readMark } from './settings.ts'

type Native = { readonly [key: string]: unknown }

export default {
  kind: 'extension',
  name: 'prompt-cache',
  // Off by default: writing to a cache that is never read costs more than no cache.
  defaultEnabled: false,
  // The marks are specific to the messages API.
  requiredTags: ['prompt-caching', 'messages'],
  configSchema: CONFIG_SCHEMA,

  initializeRequest: (native, state, { config }) => [markRequest(native, readMark(config)), state],
} satisfies Extension<Native>
