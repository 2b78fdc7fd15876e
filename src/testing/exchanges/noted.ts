/** What is noted of one request while it runs. */
export interface Noted {
  readonly method: string
  readonly url: string
  readonly headers: ReadonlyMap<string, string>
  readonly sent: Uint8Array[]
  readonly received: Uint8Array[]
  status: number
  responseHeaders: ReadonlyMap<string, string>
  isEnded: boolean
  /** Settles when a response whose reader left is no longer read. */
  readOn?: Promise<void>
}
