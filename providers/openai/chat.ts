import { type ChatDialect, COMMON, settingsOf } from '@braidwork/model-api'
import { chatFormat } from '@braidwork/model-api/chat'
import {
  defined,
  type Format,
  type Profile,
  type RequestInput,
} from '@braidwork/model-api/exchange'
import type { Config, JsonObject } from '@braidwork/plugin'
import { reasons } from './models.ts'
import { OPENAI } from './profile.ts'
import type { OpenAISettings } from './settings.ts'
import { wishesOf } from './wishes.ts'

const DIALECT: ChatDialect = {
  ...COMMON,
  maxTokens: 'max_completion_tokens',
  hasDeveloper: true,
  refusesTemperature: true,
  hasStrictTools: true,
  // The API returns no reasoning, and refuses reasoning from other servers.
  returnsReasoning: 'never',
  callIds: { pattern: /^[\s\S]+$/, longest: 64 },
  // The API gives the model its own text back, also one that was cut off.
  takesAnyArguments: true,
  files: ['image', 'audio', 'pdf'],
  largestFile: 50 * 1024 * 1024,
}

/** OpenAI's chat completions. */
export function openaiChat(profile: Profile): Format {
  const format = chatFormat({ profile, dialect: DIALECT, reasons, fields: ownFields })
  return {
    ...format,
    request: (input) => {
      warnOf(input)
      return format.request(input)
    },
  }
}

const RESPONSES_ONLY = [
  ['hosted_tools', 'hosted tools'],
  ['context_management', 'context management'],
] as const

function warnOf({ config, warn }: RequestInput): void {
  const settings = settingsOf<OpenAISettings>(config, OPENAI)
  for (const [name, what] of RESPONSES_ONLY) {
    if ((settings[name] ?? []).length > 0)
      warn(`The chat API has no ${what}: settings.openai.${name} is left out.`)
  }
}

function ownFields(config: Config): JsonObject {
  const { verbosity, service_tier } = settingsOf<OpenAISettings>(config, OPENAI)
  const { store, cacheKey } = wishesOf(config)
  return defined({ verbosity, store, service_tier, prompt_cache_key: cacheKey })
}
