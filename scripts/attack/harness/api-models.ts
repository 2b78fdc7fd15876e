/** Providers of model APIs, as models are named after them; the first two are one plugin. */
export const API_MODELS = ['openai', 'openai-chat', 'openai-compatible', 'anthropic'] as const
export type ApiModel = (typeof API_MODELS)[number]
