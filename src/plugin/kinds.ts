/** The kinds of plugins. */
export const KINDS = ['provider', 'extension', 'feature', 'tool'] as const
export type Kind = (typeof KINDS)[number]
