/** The conversation that the address names. */
export function namedChat(): string | undefined {
  return new URLSearchParams(location.search).get('chat') ?? undefined
}
