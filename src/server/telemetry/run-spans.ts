import type { StoredRun } from '@braidwork/agent'
import { isEnding, type RunEvent, type Usage } from '@braidwork/plugin'
import { orderOf } from '../run-order.ts'
import type { Api, Attributes, Context, Span } from './api.ts'
import { type EventOf, jsonOf, NAMESPACE, usageOf } from './attributes.ts'
import type { RunMeters } from './run-meters.ts'

interface OpenSpan {
  readonly span: Span
  readonly attributes: Attributes
  readonly startedAt: number
}

export interface SpanParts {
  readonly api: Api
  readonly meters: RunMeters
  /** Whether arguments, results and answers are attributes. */
  readonly hasContent: boolean
}

/** Makes the spans of one leg of a run from its stored events: of the agent, of each request, of each call. */
export class RunSpans {
  readonly #parts: SpanParts
  readonly #run: StoredRun
  /** What the span of the agent belongs to. */
  readonly #around: Context
  readonly #calls = new Map<string, OpenSpan>()
  #agent: OpenSpan | undefined
  #chat: OpenSpan | undefined
  #model: Attributes = {}
  #step = 0
  /** The time of the event before. */
  #last = 0

  constructor(run: StoredRun, parts: SpanParts, around: Context) {
    this.#run = run
    this.#around = around
    this.#parts = parts
  }

  add(event: RunEvent): void {
    const at = event.at ?? this.#run.startedAt
    this.#agent ??= this.#begin('invoke_agent', orderOf(this.#run).agent, at)
    if (isEnding(event)) this.#end(event, at)
    else if (event.type === 'model-chosen') this.#choose(event)
    else if (event.type === 'run-resumed') this.#resume(event, at)
    else if (event.type === 'step-start') this.#ask(event.step, at)
    else if (event.type === 'step-finish') this.#answered(event, at)
    else if (event.type === 'model-failed') this.#failed(event, at)
    else if (event.type === 'tool-execution-start') this.#call(event, at)
    else if (event.type === 'tool-execution-end') this.#returned(event, at)
    this.#last = at
  }

  #choose({ chosen }: EventOf<'model-chosen'>): void {
    const { provider, model } = chosen
    this.#model = {
      'gen_ai.provider.name': provider,
      ...(model === undefined ? {} : { 'gen_ai.request.model': model }),
    }
  }

  /** What the process before had begun ended with it. The answer that was cut off is asked for again. */
  #resume({ resumptions }: EventOf<'run-resumed'>, at: number): void {
    const chat = this.#chat
    this.#interrupt(this.#last)
    this.#agent?.span.setAttribute(`${NAMESPACE}.run.resumptions`, resumptions)
    this.#agent?.span.addEvent(`${NAMESPACE}.run.resumed`, {}, at)
    if (chat) this.#ask(this.#step, at, chat)
  }

  /** Ends the spans of what is still open. */
  #interrupt(at: number, error = 'interrupted'): void {
    for (const open of [...this.#calls.values(), this.#chat]) {
      if (open) this.#finish(open, at, { error })
    }
    this.#calls.clear()
    this.#chat = undefined
  }

  /** @param before an answer of the same step that was cut off */
  #ask(step: number, at: number, before?: OpenSpan): void {
    this.#step = step
    const model = this.#model['gen_ai.request.model'] ?? orderOf(this.#run).agent
    this.#chat = this.#begin('chat', String(model), at, {
      ...this.#model,
      [`${NAMESPACE}.step`]: step,
    })
    if (before) this.#chat.span.addLink({ context: before.span.spanContext() })
  }

  #answered({ usage, finishReason, messages }: EventOf<'step-finish'>, at: number): void {
    const chat = this.#chat
    this.#chat = undefined
    if (!chat) return
    const [model] = messages.flatMap(({ metadata }) => metadata?.['model'] ?? [])
    const named = typeof model === 'string' ? { 'gen_ai.response.model': model } : {}
    const content = this.#parts.hasContent ? { 'gen_ai.output.messages': jsonOf(messages) } : {}
    chat.span.setAttributes({
      'gen_ai.response.finish_reasons': [finishReason],
      ...usageOf(usage),
      ...named,
      ...content,
    })
    this.#finish(chat, at, { usage })
  }

  #failed({ error, usage }: EventOf<'model-failed'>, at: number): void {
    const chat = this.#chat
    this.#chat = undefined
    if (!chat) return
    this.#finish(chat, at, { error: error.code, ...(usage ? { usage } : {}) })
  }

  #call({ callId, name, input, plugin }: EventOf<'tool-execution-start'>, at: number): void {
    const content = this.#parts.hasContent ? { 'gen_ai.tool.call.arguments': jsonOf(input) } : {}
    const call = this.#begin('execute_tool', name, at, {
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': callId,
      'gen_ai.tool.type': 'function',
      ...(plugin === undefined ? {} : { [`${NAMESPACE}.plugin`]: plugin }),
      ...content,
    })
    this.#calls.set(callId, call)
  }

  #returned({ callId, result, error, state }: EventOf<'tool-execution-end'>, at: number): void {
    const call = this.#calls.get(callId)
    this.#calls.delete(callId)
    if (!call) return
    if (state !== undefined) call.span.setAttribute(`${NAMESPACE}.call.state`, state)
    if (this.#parts.hasContent) {
      call.span.setAttribute('gen_ai.tool.call.result', jsonOf(result.output))
    }
    const fault = error?.class ?? (result.isError ? 'execution_failed' : undefined)
    this.#finish(call, at, fault === undefined ? {} : { error: fault })
  }

  #end(event: EventOf<'finish' | 'error' | 'abort'>, at: number): void {
    const agent = this.#agent
    this.#agent = undefined
    const fault = faultOf(event)
    this.#interrupt(at, fault)
    if (!agent) return
    if (event.type === 'finish') {
      const reasons = { 'gen_ai.response.finish_reasons': [event.finishReason] }
      agent.span.setAttributes({ ...reasons, ...usageOf(event.usage) })
    }
    this.#finish(agent, at, fault === undefined ? {} : { error: fault })
  }

  #begin(
    operation: 'invoke_agent' | 'chat' | 'execute_tool',
    name: string,
    startTime: number,
    more: Attributes = {},
  ): OpenSpan {
    const { api } = this.#parts
    const { conversationId, id } = this.#run
    const attributes: Attributes = {
      'gen_ai.operation.name': operation,
      'gen_ai.agent.name': orderOf(this.#run).agent,
      ...more,
    }
    const kind = operation === 'chat' ? api.SpanKind.CLIENT : api.SpanKind.INTERNAL
    const place = conversationId === undefined ? {} : { 'gen_ai.conversation.id': conversationId }
    const own = { [`${NAMESPACE}.run.id`]: id }
    const options = { kind, startTime, attributes: { ...attributes, ...place, ...own } }
    const span = api.trace
      .getTracer(NAMESPACE)
      .startSpan(`${operation} ${name}`, options, this.#parent())
    return { span, attributes, startedAt: startTime }
  }

  #parent(): Context {
    const { trace } = this.#parts.api
    return this.#agent ? trace.setSpan(this.#around, this.#agent.span) : this.#around
  }

  #finish(
    { span, attributes, startedAt }: OpenSpan,
    at: number,
    { error, usage }: { readonly error?: string; readonly usage?: Usage },
  ): void {
    const { api, meters } = this.#parts
    const failed = error === undefined ? {} : { 'error.type': error }
    if (error !== undefined) {
      span.setAttributes(failed)
      span.setStatus({ code: api.SpanStatusCode.ERROR, message: error })
    }
    span.end(at)
    meters.add({ ...attributes, ...failed }, { seconds: (at - startedAt) / 1000, usage })
  }
}

function faultOf(event: EventOf<'finish' | 'error' | 'abort'>): string | undefined {
  if (event.type === 'error') return event.error.code
  return event.type === 'abort' ? 'canceled' : undefined
}
