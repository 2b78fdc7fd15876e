import type { Extension, State } from '@braidwork/plugin'
import { markRequest } from './mark-request.ts'
import { type CacheSettings, CONFIG_SCHEMA, markFor } from './settings.ts'

type Native = { readonly [key: string]: unknown }

export default {
  kind: 'extension',
  name: 'prompt-cache',
  // Off by default: writing to a cache that is never read costs more than no cache.
  defaultEnabled: false,
  // The marks are specific to the messages API.
  requiredTags: ['prompt-caching', 'messages'],
  configSchema: CONFIG_SCHEMA,

  initializeRequest: (native, state, { settings }) => [
    markRequest(native, markFor(settings)),
    state,
  ],
} satisfies Extension<Native, State, unknown, CacheSettings>
