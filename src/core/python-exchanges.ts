/**
 * The channel of `node:diagnostics_channel` on which an interpreter tells of the requests over HTTP that its plugins
 * send. An interpreter that starts while nobody has subscribed observes none.
 */
export const PYTHON_EXCHANGES = 'braidwork:python-exchange'

/** A step of an exchange in Python. The bytes of bodies are Base64. */
export type PythonExchangeStep = {
  /** Identifies the exchange, also beside those of other interpreters. */
  readonly i: string
} & (
  | { readonly t: 'asked'; readonly m: string; readonly u: string; readonly h: Headers }
  | { readonly t: 'sent' | 'received'; readonly d: string }
  | { readonly t: 'answered'; readonly s: number; readonly h: Headers }
  | { readonly t: 'ended' }
)

type Headers = readonly (readonly [name: string, value: string])[]
