/** The section `compaction` of a spec: how a conversation is compacted. Every field is optional. AW-40 */
export interface CompactionSection {
  /** `off`: never by itself. `background`: by itself, where the context policy has a threshold. The default. */
  readonly mode?: 'off' | 'background'
  /** The text that asks for a summary, with `{messages}`, and `{previous_summary}` if there can be one. */
  readonly prompt?: string
  /** The most tokens of a summary. The default is 2,048. */
  readonly summary_max_tokens?: number
  /** The model that writes the summary, of the same provider. The default is the model of the agent. */
  readonly summary_model?: string
  /** A compaction that saves a smaller share of the tokens is given up. The default is 0.3. */
  readonly min_savings_ratio?: number
  /** How many of the newest messages stay as they are, in place of the number in the context policy. */
  readonly raw_retention?: number
}

/** The JSON Schema (2020-12) of a {@link CompactionSection}. */
export const COMPACTION_SCHEMA = {
  type: 'object',
  properties: {
    mode: { enum: ['off', 'background'] },
    prompt: { type: 'string', pattern: '\\{messages\\}' },
    summary_max_tokens: { type: 'integer', minimum: 16 },
    summary_model: { type: 'string', pattern: '.' },
    min_savings_ratio: { type: 'number', minimum: 0, maximum: 1 },
    raw_retention: { type: 'integer', minimum: 0 },
  },
  additionalProperties: false,
} as const
