import { PRESETS } from '../../providers/openai-compatible/presets.ts'
import type { Api, Content } from './content.ts'

/** The provider and API format that can read a recording. */
export interface Place {
  readonly provider: 'openai' | 'openai-compatible' | 'anthropic'
  readonly api: Api
  /** A preset of providers/openai-compatible. */
  readonly preset?: string
}

/** Matches folders with recordings of APIs that no provider supports. */
const OTHERS =
  /^(completions?|images?|embeddings?|speech|transcriptions?|audio|realtime|skills|files|moderations?|videos?|rerank(ing)?|batch(es)?)$/

/** The provider for a recording, by its content and its folders; `undefined` if there is none. */
export function placeOf(path: string, content: Content): Place | undefined {
  const folders = path.split('/').slice(0, -1)
  if (content === 'other' || folders.some((folder) => OTHERS.test(folder))) return undefined
  const isKnown = content !== 'error' && content !== 'unknown'
  const api = isKnown ? content : apiOf(folders)
  if (api === 'responses') return { provider: 'openai', api }
  if (api === 'messages') return { provider: 'anthropic', api }
  if (folders.includes('openai')) return { provider: 'openai', api }
  const preset = folders.find((folder) => Object.hasOwn(PRESETS, folder))
  return { provider: 'openai-compatible', api, ...(preset === undefined ? {} : { preset }) }
}

function apiOf(folders: readonly string[]): Api {
  if (folders.includes('responses')) return 'responses'
  return folders.includes('anthropic') ? 'messages' : 'chat'
}
