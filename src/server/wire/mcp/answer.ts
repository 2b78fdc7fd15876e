import { isObject, type JsonObject, type RunEvent } from '@braidwork/plugin'
import { defined, publicError, type ShownError, withSafeAddress } from '../index.ts'

/** A part of the result of a tool. */
export type McpContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource_link'
      readonly uri: string
      readonly name: string
      readonly mimeType?: string
    }
  | {
      readonly type: 'resource'
      readonly resource: { readonly uri: string; readonly mimeType: string; readonly blob: string }
    }

/** The result of a tool. */
export interface McpResult {
  readonly content: McpContent[]
  readonly structuredContent?: { [key: string]: unknown }
  readonly isError?: true
  readonly _meta?: { [key: string]: unknown }
}

interface Made {
  readonly step: number
  readonly content: McpContent
}

/** What the result says beside its content. */
export interface McpResultFacts {
  readonly runId: string
  readonly conversationId?: string
  /** Whether the answer of the agent is JSON. */
  readonly isJson: boolean
}

/**
 * The answer of an agent, read from the events of its run: the text of the last step that has one, and all files and
 * sources.
 */
export class McpAnswer {
  #step = 0
  #text = { step: 0, text: '' }
  readonly #made: Made[] = []
  #error: ShownError | undefined
  #isStopped = false

  add(event: RunEvent): void {
    switch (event.type) {
      case 'step-start':
        this.#step = event.step
        return
      case 'text-delta':
        this.#grow(event.delta)
        return
      case 'file':
      case 'source':
        this.#place(event)
        return
      case 'step-reset':
        this.#reset(event.step)
        return
      case 'error':
        this.#error = event.error
        return
      case 'abort':
        this.#isStopped = true
        return
      default:
    }
  }

  result({ runId, conversationId, isJson }: McpResultFacts): McpResult {
    const about = {
      'braidwork/run': runId,
      ...defined({ 'braidwork/conversation': conversationId }),
    }
    if (this.#isStopped) return errorResult('The run was stopped.', { ...about, code: 'ABORTED' })
    if (this.#error) {
      const { code, message } = publicError(this.#error)
      return errorResult(message, { ...about, code })
    }
    const { text } = this.#text
    const structured = isJson ? objectIn(text) : undefined
    const texts: McpContent[] = text === '' ? [] : [{ type: 'text', text }]
    return {
      content: [...texts, ...this.#made.map(({ content }) => content)],
      ...(structured ? { structuredContent: structured } : {}),
      _meta: about,
    }
  }

  #grow(delta: string): void {
    const before = this.#text.step === this.#step ? this.#text.text : ''
    if (delta !== '') this.#text = { step: this.#step, text: before + delta }
  }

  #reset(step: number): void {
    if (this.#text.step === step) this.#text = { step, text: '' }
    const kept = this.#made.filter((one) => one.step !== step)
    this.#made.splice(0, Infinity, ...kept)
  }

  #place(event: Extract<RunEvent, { type: 'file' | 'source' }>): void {
    const content = contentOf(event)
    if (content) this.#made.push({ step: this.#step, content })
  }
}

/** A failure as a result, so that the model which called can read it. */
export function errorResult(text: string, about: JsonObject): McpResult {
  return { content: [{ type: 'text', text }], isError: true, _meta: { ...about } }
}

function contentOf(event: Extract<RunEvent, { type: 'file' | 'source' }>): McpContent | undefined {
  const safe = withSafeAddress(event)
  if (safe === undefined) return undefined
  if (safe.type === 'source') {
    const { url: uri, title } = safe
    return uri === undefined ? undefined : { type: 'resource_link', uri, name: title ?? uri }
  }
  const { mediaType: mimeType, data, url: uri, name } = safe
  if (data === undefined) {
    return uri === undefined
      ? undefined
      : { type: 'resource_link', uri, name: name ?? uri, mimeType }
  }
  const [kind] = mimeType.split('/')
  if (kind === 'image' || kind === 'audio') return { type: kind, data, mimeType }
  const place = `file:///${encodeURIComponent(name ?? 'file')}`
  return { type: 'resource', resource: { uri: place, mimeType, blob: data } }
}

function objectIn(text: string): { [key: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
