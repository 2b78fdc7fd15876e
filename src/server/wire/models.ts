/** A model that a server publishes. */
export interface ListedModel {
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** Milliseconds since 1970. The default is 0, for unknown. */
  readonly createdAt?: number
  /** A plain variant, or a model that only the provider's own list names. Where agents are tools, it is none. */
  readonly isMinor?: true
}

/** Formats a model for OpenAI's API, with a title as `name`, where chat pages look for one. */
export function openAIModel({ name, title, description, createdAt = 0 }: ListedModel) {
  return {
    id: name,
    object: 'model',
    created: Math.floor(createdAt / 1000),
    owned_by: 'braidwork',
    ...(title === undefined ? {} : { name: title }),
    ...(description === undefined ? {} : { description }),
  } as const
}

/** Formats the list of models for OpenAI's API. */
export function openAIModels(models: readonly ListedModel[]) {
  return { object: 'list', data: models.map(openAIModel) } as const
}

/** Formats a model for Anthropic's API. */
export function anthropicModel({ name, title, description, createdAt = 0 }: ListedModel) {
  return {
    type: 'model',
    id: name,
    display_name: title ?? name,
    created_at: new Date(createdAt).toISOString(),
    capabilities: null,
    deprecated_at: null,
    lifecycle: 'active',
    ...(description === undefined ? {} : { description }),
  } as const
}

/** Formats the list of models for Anthropic's API, on a single page. */
export function anthropicModels(models: readonly ListedModel[]) {
  return {
    data: models.map(anthropicModel),
    first_id: models[0]?.name ?? null,
    last_id: models.at(-1)?.name ?? null,
    has_more: false,
  } as const
}
