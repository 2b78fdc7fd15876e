import type { Endpoint } from '../access.ts'

/**
 * Options of the SDK's client. Every value is given, so that no variable of the environment is read behind the
 * config's back.
 */
export function clientOptions({ baseURL, headers, maxRetries }: Endpoint, key: string | undefined) {
  return {
    apiKey: key || 'none',
    adminAPIKey: null,
    webhookSecret: null,
    organization: null,
    project: null,
    baseURL,
    maxRetries,
    // Without a key none is sent: the servers that need none may refuse a wrong one.
    defaultHeaders: { ...(key ? {} : { Authorization: null }), ...headers },
    logLevel: 'off',
  } as const
}
