import type { Endpoint } from '../http/access.ts'

/**
 * Options for the SDK's client. Every option is given explicitly, so that the SDK reads no environment variable.
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
    // Without a key no key header is sent: servers that need no key may refuse a wrong one.
    defaultHeaders: { ...(key ? {} : { Authorization: null }), ...headers },
    logLevel: 'off',
  } as const
}
