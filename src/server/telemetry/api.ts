/**
 * The part of `@opentelemetry/api` that makes spans and metrics, in our own words: the package is optional, and the
 * types of a program that imports the server resolve without it.
 */
export interface Api {
  readonly SpanKind: { readonly INTERNAL: number; readonly CLIENT: number }
  readonly SpanStatusCode: { readonly ERROR: number }
  readonly context: { active(): Context }
  readonly trace: {
    getTracer(name: string): Tracer
    setSpan(context: Context, span: Span): Context
  }
  readonly metrics: { getMeter(name: string): Meter }
}

export interface Attributes {
  [name: string]: string | number | readonly string[] | undefined
}

/** What the spans that begin in it belong to. */
export interface Context {
  getValue(key: symbol): unknown
}

interface Tracer {
  startSpan(name: string, options: SpanOptions, context?: Context): Span
}

interface SpanOptions {
  readonly kind: number
  readonly startTime: number
  readonly attributes: Attributes
}

export interface Span {
  setAttribute(name: string, value: string | number): unknown
  setAttributes(attributes: Attributes): unknown
  setStatus(status: { readonly code: number; readonly message: string }): unknown
  addEvent(name: string, attributes: Attributes, at: number): unknown
  addLink(link: { readonly context: SpanContext }): unknown
  spanContext(): SpanContext
  end(at: number): void
}

interface SpanContext {
  readonly traceId: string
  readonly spanId: string
}

interface Meter {
  createHistogram(
    name: string,
    options: { readonly unit: string; readonly description: string },
  ): Histogram
}

export interface Histogram {
  record(value: number, attributes: Attributes): void
}
