/** A comment that keeps a silent event stream open. Clients ignore comments. */
export const KEEP_ALIVE = ': keep-alive\n\n'

/** Formats a server-sent event. `json` must be a single line, as `JSON.stringify` writes it. */
export function sseData(json: string, event?: string, id?: string): string {
  const head = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`
  return `${head}data: ${json}\n\n`
}
