import type { Span } from './spans.ts'

/** Who let a call run, or did not. */
export interface Permission {
  readonly by: 'person' | 'refusal' | 'config' | 'default' | 'other'
  /** The JSON pointer to the policy in the config, or who else decided. */
  readonly source?: string
}

/** Who decided whether a call may run: a person, if one was asked, otherwise its policy. Old runs do not tell. */
export function permissionOf(spans: readonly Span[], callId: string): Permission | undefined {
  const own = spans.filter(({ facts }) => facts.some((fact) => fact['callId'] === callId))
  const wait = own.find(({ kind, facts }) => kind === 'wait' && !facts[0]?.['isQuestion'])
  if (wait?.state !== undefined) return { by: wait.state === 'approved' ? 'person' : 'refusal' }
  const [start] = own.find(({ kind }) => kind === 'call')?.facts ?? []
  const { source } = Object(start?.['policy']) as { readonly source?: unknown }
  if (typeof source !== 'string') return undefined
  if (source === 'default') return { by: 'default' }
  return { by: source.startsWith('/') ? 'config' : 'other', source }
}
