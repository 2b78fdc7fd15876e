import { PRESETS } from '../../providers/openai-compatible/presets.ts'
import type { Api, Content } from './content.ts'

/** Who is to read a recording. */
export interface Place {
  readonly provider: 'openai' | 'openai-compatible' | 'anthropic'
  readonly api: Api
  /** Of providers/openai-compatible. */
  readonly preset?: string
}

/** Folders of APIs that no provider speaks. */
const OTHERS =
  /^(completions?|images?|embeddings?|speech|transcriptions?|audio|realtime|skills|files|moderations?|videos?|rerank(ing)?|batch(es)?)$/

/** The provider that a recording belongs to, by what is in it and by its folders; nothing where none does. */
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
