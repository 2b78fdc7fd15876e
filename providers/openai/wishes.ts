import { settingsOf } from '@braidwork/model-api'
import type { Config } from '@braidwork/plugin'
import { reasons } from './models.ts'
import { OPENAI } from './profile.ts'
import type { OpenAISettings } from './settings.ts'

/** Keys of a config that clients of OpenAI's APIs set, beside the settings of the operator. */
interface Wished extends Config {
  readonly store?: boolean
  readonly reasoning_summary?: string
  readonly sealed_reasoning?: boolean
  readonly prompt_cache_key?: string
}

export interface Wishes {
  readonly store?: boolean | undefined
  readonly summary?: string | undefined
  readonly isSealed: boolean
  readonly cacheKey?: string | undefined
}

/** What a request wishes, within the settings of the operator: these take precedence, except where nobody is to store. */
export function wishesOf(config: Config, model = ''): Wishes {
  const settings = settingsOf<OpenAISettings>(config, OPENAI)
  const wished: Wished = config
  const isUnstored = wished.store === false || settings.store === false
  return {
    store: isUnstored ? false : (settings.store ?? wished.store),
    summary: settings.reasoning_summary ?? (reasons(model) ? wished.reasoning_summary : undefined),
    isSealed: reasons(model) && (isUnstored || wished.sealed_reasoning === true),
    cacheKey: wished.prompt_cache_key,
  }
}
