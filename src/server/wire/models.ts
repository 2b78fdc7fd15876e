/** A model or an agent that a server publishes. */
export interface ListedModel {
  readonly name: string
  readonly title?: string
  /** Milliseconds since 1970; that itself where it is not known. */
  readonly createdAt?: number
}

/** A model as OpenAI's API describes it. */
export function openAIModel({ name, createdAt = 0 }: ListedModel) {
  return {
    id: name,
    object: 'model',
    created: Math.floor(createdAt / 1000),
    owned_by: 'braidwork',
  } as const
}

/** The list of models as OpenAI's API gives it. */
export function openAIModels(models: readonly ListedModel[]) {
  return { object: 'list', data: models.map(openAIModel) } as const
}

/** A model as Anthropic's API describes it. */
export function anthropicModel({ name, title, createdAt = 0 }: ListedModel) {
  return {
    type: 'model',
    id: name,
    display_name: title ?? name,
    created_at: new Date(createdAt).toISOString(),
    capabilities: null,
    deprecated_at: null,
    lifecycle: 'active',
  } as const
}

/** The list of models as Anthropic's API gives it: all on one page. */
export function anthropicModels(models: readonly ListedModel[]) {
  return {
    data: models.map(anthropicModel),
    first_id: models[0]?.name ?? null,
    last_id: models.at(-1)?.name ?? null,
    has_more: false,
  } as const
}
