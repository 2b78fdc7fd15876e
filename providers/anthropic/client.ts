import type { Access } from '@braidwork/model-api'
import { type Client, endpointOf, keepingHeads, keyMissing } from '@braidwork/model-api/exchange'

/**
 * Makes the SDK's client. Every option is given explicitly, so that the SDK reads no environment variable except
 * the key's (and ANTHROPIC_CUSTOM_HEADERS, which it always reads).
 * @throws PROVIDER_UNAUTHORIZED if the API needs a key and none is set; SETTINGS_INVALID
 */
export async function connect(access: Access): Promise<Client> {
  const { baseURL, headers, maxRetries, fetch } = endpointOf(access)
  const { api_key: key } = access.settings
  if (!key && baseURL === access.profile.baseUrl) throw keyMissing(access.profile)
  const { BaseAnthropic } = await import('@anthropic-ai/sdk/client')
  const client = new BaseAnthropic({
    apiKey: key || 'none',
    webhookKey: null,
    // Other vendors' SDKs expect the version in the base URL; this SDK adds it itself.
    baseURL: baseURL.replace(/\/v1$/, ''),
    maxRetries,
    // The SDK would send the key as a bearer token, which some compatible servers do not accept. Without a key no
    // key header is sent: servers that need no key may refuse a wrong one.
    defaultHeaders: { Authorization: null, ...(key ? { 'X-Api-Key': key } : {}), ...headers },
    openTelemetry: false,
    logLevel: 'off',
    fetch,
  })
  return access.fetch ? client : keepingHeads(client)
}
