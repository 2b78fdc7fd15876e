import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import {
  type Context,
  type ContextManager,
  context,
  metrics,
  ROOT_CONTEXT,
  trace,
} from '@opentelemetry/api'
import { expect } from 'chai'
import { needsPeer } from '../helpers/peer-scripts.ts'
import { chatBody, Served, user } from './routes/served.ts'

const PEERS = new URL('../peers/package.json', import.meta.url)

interface Value {
  readonly stringValue?: string
  readonly intValue?: number | string
  readonly arrayValue?: { readonly values: readonly Value[] }
}

interface Named {
  readonly name: string
  readonly attributes: readonly { readonly key: string; readonly value: Value }[]
}

interface SentSpan extends Named {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly kind: number
  readonly status: { readonly code?: number }
}

interface SentMetric {
  readonly name: string
  readonly unit: string
  readonly histogram: { readonly dataPoints: readonly Omit<Named, 'name'>[] }
}

interface Sent {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { spans: SentSpan[] }[] }[]
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { metrics: SentMetric[] }[]
  }[]
}

/** A collector of OTLP on loopback. */
class Collector {
  readonly spans: SentSpan[] = []
  readonly metrics: SentMetric[] = []
  readonly #server = createServer((request, response) => void this.#take(request, response))

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }
  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { resourceSpans = [], resourceMetrics = [] } = (await json(request)) as Sent
    this.spans.push(...resourceSpans.flatMap((one) => one.scopeSpans.flatMap(({ spans }) => spans)))
    this.metrics.push(
      ...resourceMetrics.flatMap((one) => one.scopeMetrics.flatMap((scope) => scope.metrics)),
    )
    response.setHeader('content-type', 'application/json')
    response.end('{}')
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

/** What keeps the active context, as an SDK for Node registers it. */
class AsyncContexts implements ContextManager {
  readonly #kept = new AsyncLocalStorage<Context>()

  active(): Context {
    return this.#kept.getStore() ?? ROOT_CONTEXT
  }
  with: ContextManager['with'] = (own, act, self, ...rest) =>
    this.#kept.run(own, () => act.call(self as never, ...rest))
  bind<T>(_: Context, target: T): T {
    return target
  }
  enable(): this {
    return this
  }
  disable(): this {
    this.#kept.disable()
    return this
  }
}

const attributeOf = ({ attributes }: Pick<Named, 'attributes'>, name: string) => {
  const { value } = attributes.find(({ key }) => key === name) ?? {}
  return (
    value?.stringValue ?? value?.intValue ?? value?.arrayValue?.values.map((one) => one.stringValue)
  )
}

describe('a server with the exporters of OpenTelemetry', function () {
  this.timeout(30_000)
  let collector: Collector
  let served: Served
  let flush: () => Promise<void>

  before(async function () {
    needsPeer(this, '@opentelemetry/sdk-trace')
    collector = new Collector()
    const url = await collector.start()
    const require = createRequire(PEERS)
    const load = (name: string) => import(pathToFileURL(require.resolve(name)).href)
    const { OTLPTraceExporter } = await load('@opentelemetry/exporter-trace-otlp-http')
    const { OTLPMetricExporter } = await load('@opentelemetry/exporter-metrics-otlp-http')
    const { SimpleSpanProcessor, TracerProvider } = await load('@opentelemetry/sdk-trace')
    const { MeterProvider, PeriodicExportingMetricReader } = await load(
      '@opentelemetry/sdk-metrics',
    )
    const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces` })
    const spans = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
    const reader = new PeriodicExportingMetricReader({
      exporter: new OTLPMetricExporter({ url: `${url}/v1/metrics` }),
      exportIntervalMillis: 3_600_000,
    })
    const meters = new MeterProvider({ readers: [reader] })
    trace.setGlobalTracerProvider(spans)
    metrics.setGlobalMeterProvider(meters)
    flush = async () => {
      await spans.forceFlush()
      await meters.forceFlush()
    }
  })
  afterEach(async () => {
    await served?.close()
    collector?.spans.splice(0)
  })
  after(async () => {
    trace.disable()
    metrics.disable()
    await collector?.close()
  })

  /** Runs, waits for the end of the server, and returns what the collector has got. */
  async function spansOf(text: string, telemetry: object = {}): Promise<readonly SentSpan[]> {
    served = await Served.start({ telemetry })
    const body = { ...chatBody('talk', [user('u', text)]), agent: 'quick' }
    await served.ask('/api/chat', { body })
    await served.close()
    await flush()
    return collector.spans
  }

  it('sends a span for the agent, each request and each call, in one trace', async () => {
    const spans = await spansOf('calculate')
    expect(spans.map(({ name }) => name).toSorted()).to.deep.equal([
      'chat scripted-1',
      'chat scripted-1',
      'execute_tool calculate',
      'invoke_agent quick',
    ])
    const agent = spans.find(({ name }) => name.startsWith('invoke_agent'))
    const others = spans.filter((span) => span !== agent)
    expect(new Set(spans.map(({ traceId }) => traceId)).size).to.equal(1)
    for (const { parentSpanId } of others) expect(parentSpanId).to.equal(agent?.spanId)
    const tool = spans.find(({ name }) => name.startsWith('execute_tool'))
    if (!agent || !tool) return expect.fail('a span is missing')
    expect(attributeOf(agent, 'gen_ai.conversation.id')).to.equal('talk')
    expect(attributeOf(agent, 'gen_ai.operation.name')).to.equal('invoke_agent')
    expect(attributeOf(agent, 'gen_ai.response.finish_reasons')).to.deep.equal(['stop'])
    expect(Number(attributeOf(agent, 'gen_ai.usage.output_tokens'))).to.be.above(0)
    expect(attributeOf(tool, 'gen_ai.tool.name')).to.equal('calculate')
    const [request] = spans.filter(({ name }) => name.startsWith('chat'))
    if (!request) return expect.fail('a span is missing')
    expect(attributeOf(request, 'gen_ai.provider.name')).to.equal('scripted')
    expect(attributeOf(request, 'gen_ai.request.model')).to.equal('scripted-1')
    expect(JSON.stringify(spans)).to.not.include('6 * 7')
  })

  it('sends content only where it is asked for', async () => {
    const spans = await spansOf('calculate', { content: true })
    const tool = spans.find(({ name }) => name.startsWith('execute_tool'))
    if (!tool) return expect.fail('a span is missing')
    expect(attributeOf(tool, 'gen_ai.tool.call.arguments')).to.equal('{"expression":"6 * 7"}')
    expect(String(attributeOf(tool, 'gen_ai.tool.call.result'))).to.include('42')
  })

  it('says what failed', async () => {
    const agent = (await spansOf('break')).find(({ name }) => name.startsWith('invoke_agent'))
    if (!agent) return expect.fail('a span is missing')
    expect(agent.status.code).to.equal(2)
    expect(attributeOf(agent, 'error.type')).to.equal('STREAM_INTERRUPTED')
  })

  it('sends times and tokens as metrics', async () => {
    await spansOf('hello')
    const found = new Map(collector.metrics.map((metric) => [metric.name, metric]))
    const duration = found.get('gen_ai.client.operation.duration')
    expect(duration?.unit).to.equal('s')
    const operations = duration?.histogram.dataPoints.map((point) =>
      attributeOf(point, 'gen_ai.operation.name'),
    )
    expect(operations).to.include.members(['chat', 'invoke_agent', 'execute_tool'])
    const tokens = found.get('gen_ai.client.token.usage')?.histogram.dataPoints ?? []
    const types = new Set(tokens.map((point) => attributeOf(point, 'gen_ai.token.type')))
    expect([...types]).to.have.members(['input', 'output'])
  })

  it('sends the span of a run below the span that is active when its request is handled', async () => {
    context.setGlobalContextManager(new AsyncContexts())
    const around = trace.getTracer('application').startSpan('POST /api/chat')
    try {
      await context.with(trace.setSpan(context.active(), around), () => spansOf('calculate'))
      around.end()
      await flush()
    } finally {
      context.disable()
    }
    const agent = collector.spans.find(({ name }) => name.startsWith('invoke_agent'))
    const chats = collector.spans.filter(({ name }) => name.startsWith('chat'))
    expect(agent?.parentSpanId).to.equal(around.spanContext().spanId)
    expect(chats.map(({ parentSpanId }) => parentSpanId)).to.deep.equal([
      agent?.spanId,
      agent?.spanId,
    ])
    expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).to.equal(1)
  })

  it('sends the spans of runs that are not stored too', async () => {
    served = await Served.start({ telemetry: {} })
    const body = { model: 'quick', messages: [{ role: 'user', content: 'calculate' }] }
    await served.ask('/v1/chat/completions', { body })
    await served.ask('/v1/chat/completions', { body: { ...body, stream: true } })
    await served.close()
    await flush()
    const agents = collector.spans.filter(({ name }) => name === 'invoke_agent quick')
    expect([agents.length, collector.spans.length]).to.deep.equal([2, 8])
  })
})
