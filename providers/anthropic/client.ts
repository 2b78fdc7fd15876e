import type { Access } from '@braidwork/model-api'
import { type Client, endpointOf, keepingHeads, keyMissing } from '@braidwork/model-api/exchange'

/**
 * The SDK's client, with every value given, so that no variable but the key's is read behind the config's
 * back (but for ANTHROPIC_CUSTOM_HEADERS, which the SDK reads always).
 * @throws PROVIDER_UNAUTHORIZED where the API needs a key and there is none; SETTINGS_INVALID
 */
export async function connect(access: Access): Promise<Client> {
  const { baseURL, headers, maxRetries, fetch } = endpointOf(access)
  const { api_key: key } = access.settings
  if (!key && baseURL === access.profile.baseUrl) throw keyMissing(access.profile)
  const { Anthropic } = await import('@anthropic-ai/sdk')
  const client = new Anthropic({
    apiKey: key || 'none',
    webhookKey: null,
    // Other clients want the version in the base URL, and this one does not.
    baseURL: baseURL.replace(/\/v1$/, ''),
    maxRetries,
    // The SDK would send the key as a bearer's token, which not all servers of this API know. Without a key
    // none is sent: the servers that need none may refuse a wrong one.
    defaultHeaders: { Authorization: null, ...(key ? { 'X-Api-Key': key } : {}), ...headers },
    openTelemetry: false,
    logLevel: 'off',
    fetch,
  })
  return access.fetch ? client : keepingHeads(client)
}
