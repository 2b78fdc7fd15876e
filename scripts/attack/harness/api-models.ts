/** Models of the attacked server, named after their providers. The first two use the same plugin. */
export const API_MODELS = ['openai', 'openai-chat', 'openai-compatible', 'anthropic'] as const
export type ApiModel = (typeof API_MODELS)[number]
