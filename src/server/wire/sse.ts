/** What keeps a quiet event stream open; clients read past comments. */
export const KEEP_ALIVE = ': keep-alive\n\n'

/** One server-sent event. `json` is one line, as `JSON.stringify` writes it. */
export function sseData(json: string, event?: string, id?: string): string {
  const head = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`
  return `${head}data: ${json}\n\n`
}
