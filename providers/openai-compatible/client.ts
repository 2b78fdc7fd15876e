import type { Access, Fetch } from '@braidwork/model-api'
import { clientOptions } from '@braidwork/model-api/chat'
import {
  type Client,
  endpointOf,
  keepingHeads,
  keyMissing,
  objectsIn,
  parseJson,
  providerError,
} from '@braidwork/model-api/exchange'
import { isObject } from '@braidwork/plugin'
import { NAME } from './settings.ts'

/**
 * Makes the SDK's client.
 * @throws SETTINGS_INVALID if the settings name no server; PROVIDER_UNAUTHORIZED if its key is missing
 */
export async function connect(access: Access): Promise<Client> {
  const { profile, settings } = access
  if (!settings.base_url && profile.baseUrl === '') throw serverMissing()
  const endpoint = endpointOf(access)
  const { api_key: key } = settings
  const needsKey = profile.keySetting !== undefined
  if (!key && needsKey && endpoint.baseURL === profile.baseUrl) throw keyMissing(profile)
  const { OpenAI } = await import('openai/client')
  const fetch = withErrors(endpoint.fetch)
  const client = new OpenAI({ ...clientOptions(endpoint, key), fetch })
  return access.fetch ? client : keepingHeads(client)
}

function serverMissing(): Error {
  const message = `The settings name no server. Set settings.${NAME}.preset, or settings.${NAME}.base_url.`
  const pointer = `/settings/${NAME}/base_url`
  return providerError('SETTINGS_INVALID', message, { pointer, retryable: false })
}

/** Wraps `fetch` so that the SDK sees error bodies without a member `error`, which it would otherwise ignore. */
function withErrors(send: Fetch): Fetch {
  return async (input, init) => {
    const response = await send(input, init)
    if (response.ok) return response
    const text = await response.text()
    const { status, statusText, headers } = response
    return new Response(errorBody(text), { status, statusText, headers })
  }
}

function errorBody(text: string): string {
  try {
    const body = parseJson(text)
    const said = isObject(body) ? body : objectsIn(body)[0]
    if (!said) return text
    return JSON.stringify(isObject(said['error']) ? said : { error: said })
  } catch {
    return text
  }
}
