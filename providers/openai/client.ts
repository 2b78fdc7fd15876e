import { type Access, endpointOf } from '../model-api/access.ts'
import type { Client } from '../model-api/client.ts'
import { keyMissing } from '../model-api/errors.ts'
import type { OpenAISettings } from './settings.ts'

/**
 * The SDK's client. Every value is given, so that no variable but the key's is read behind the config's back.
 * @throws PROVIDER_UNAUTHORIZED where the API needs a key and there is none; SETTINGS_INVALID
 */
export async function connect(access: Access): Promise<Client> {
  const { baseURL, headers, maxRetries, fetch } = endpointOf(access)
  const { api_key: key, organization, project } = access.settings as OpenAISettings
  if (!key && baseURL === access.profile.baseUrl) throw keyMissing(access.profile)
  const { OpenAI } = await import('openai')
  return new OpenAI({
    apiKey: key || 'none',
    adminAPIKey: null,
    webhookSecret: null,
    baseURL,
    organization: organization ?? null,
    project: project ?? null,
    maxRetries,
    // Without a key none is sent: the servers that need none may refuse a wrong one.
    defaultHeaders: { ...(key ? {} : { Authorization: null }), ...headers },
    logLevel: 'off',
    ...(fetch ? { fetch } : {}),
  })
}
