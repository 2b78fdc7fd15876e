/**
 * The types of the events that continue a part. A text that is put together for each event would be hashed and compared
 * character by character wherever the type is looked at.
 */
export const DELTA_TYPES = {
  text: 'text-delta',
  reasoning: 'reasoning-delta',
  'tool-call': 'tool-call-delta',
} as const
