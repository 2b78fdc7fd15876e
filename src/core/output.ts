/** The events that show a reader nothing yet. */
const EMPTY: ReadonlySet<unknown> = new Set([
  'text-start',
  'text-end',
  'reasoning-start',
  'reasoning-end',
  'metadata',
])

/** Whether an event, or another piece of an answer, shows a reader something of it. */
export function isOutput(piece: unknown): boolean {
  const { delta, type } = (piece ?? {}) as { readonly delta?: unknown; readonly type?: unknown }
  return delta !== '' && !(delta === undefined && EMPTY.has(type))
}
