import type { Access } from '@braidwork/model-api'
import { clientOptions } from '@braidwork/model-api/chat'
import { type Client, endpointOf, keepingHeads, keyMissing } from '@braidwork/model-api/exchange'
import type { OpenAISettings } from './settings.ts'

/**
 * Makes the SDK's client.
 * @throws PROVIDER_UNAUTHORIZED if the API needs a key and none is set; SETTINGS_INVALID
 */
export async function connect(access: Access): Promise<Client> {
  const endpoint = endpointOf(access)
  const { api_key: key, organization, project } = access.settings as OpenAISettings
  if (!key && endpoint.baseURL === access.profile.baseUrl) throw keyMissing(access.profile)
  const { OpenAI } = await import('openai/client')
  const client = new OpenAI({
    ...clientOptions(endpoint, key),
    organization: organization ?? null,
    project: project ?? null,
    fetch: endpoint.fetch,
  })
  return access.fetch ? client : keepingHeads(client)
}
