import {
  isObject,
  type Message,
  type ModelAnswer,
  type ModelRequest,
  type ToolCall,
} from '@braidwork/plugin'
import { messageOf } from '../connection/connection.ts'
import { contentOf } from '../content.ts'
import { Problem } from '../problem.ts'
import type { SamplingSettings } from '../settings.ts'
import { visible, visibleCut } from '../visible.ts'
import type {
  Elicitation,
  ElicitationAnswer,
  SamplingAnswer,
  SamplingRequest,
} from './server-questions.ts'

/** The most messages of a request, and the most characters of their texts. */
const MOST_MESSAGES = 100
const MOST_CHARACTERS = 200_000
/** The most characters of a request that a person is shown. */
const MOST_SHOWN = 1_500

export interface SamplingParts {
  /** The name of the server. */
  readonly server: string
  /** Absent if the server may not ask. */
  readonly settings: SamplingSettings | undefined
  /** Asks the person. */
  readonly ask: (question: Elicitation) => Promise<ElicitationAnswer>
}

/** Answers what a server asks the model in the middle of one call, as far as the config of the server allows. */
export class Sampling {
  /** Asks the model. It changes with the leg of the run that the call goes on in. */
  askModel: ToolCall['askModel']
  readonly #parts: SamplingParts
  #count = 0

  constructor(parts: SamplingParts, askModel: ToolCall['askModel']) {
    this.#parts = parts
    this.askModel = askModel
  }

  /** @throws {Problem} if the request is refused; what the model throws */
  async answer(request: SamplingRequest): Promise<SamplingAnswer> {
    const { settings } = this.#parts
    if (!settings || !this.askModel) throw refused('it may not ask the model')
    if (++this.#count > settings.requests)
      throw refused(`a call may ask the model ${settings.requests} times`)
    const asked = requestOf(request, settings)
    if (settings.policy === 'ask' && !(await this.#isAllowed(asked.messages)))
      throw refused('the person did not allow it')
    return answerOf(await this.#ask(asked))
  }

  /** The call may have gone on in another leg of the run while the person was asked. */
  async #ask(request: ModelRequest): Promise<ModelAnswer> {
    if (!this.askModel) throw refused('it may not ask the model')
    try {
      return await this.askModel(request)
    } catch (error) {
      throw new Problem(`Sampling failed: ${messageOf(error)}`)
    }
  }

  async #isAllowed(messages: readonly Message[]): Promise<boolean> {
    const { server, ask } = this.#parts
    const shown = visibleCut(messages.map(shownOf).join('\n'), MOST_SHOWN)
    const answer = await ask({
      message: `The MCP server "${server}" asks your model:\n${shown}\nMay it?`,
      requestedSchema: {
        type: 'object',
        properties: { allow: { type: 'boolean', title: 'Allow', default: false } },
      },
    })
    return answer.action === 'accept' && answer.content['allow'] === true
  }
}

function refused(why: string): Problem {
  return new Problem(`Sampling is refused: ${why}.`)
}

/** A request as the model gets it. @throws {Problem} */
function requestOf(
  request: SamplingRequest,
  { model, max_tokens: most }: SamplingSettings,
): ModelRequest & { readonly messages: readonly Message[] } {
  const { messages, systemPrompt, maxTokens, temperature, stopSequences, tools } = request
  if (Array.isArray(tools) && tools.length > 0) throw refused('the model gets no tools of a server')
  if (!Array.isArray(messages) || messages.length === 0 || messages.length > MOST_MESSAGES)
    throw refused(`a request has 1 to ${MOST_MESSAGES} messages`)
  const all = [...systemOf(systemPrompt), ...messages.map(sampledMessage)]
  const length = all.reduce((sum, message) => sum + shownOf(message).length, 0)
  if (length > MOST_CHARACTERS) throw refused(`it has more than ${MOST_CHARACTERS} characters`)
  const wanted = typeof maxTokens === 'number' && maxTokens >= 1 ? Math.floor(maxTokens) : most
  return {
    messages: all,
    maxOutputTokens: Math.min(wanted, most),
    ...(model === undefined ? {} : { model }),
    ...(typeof temperature === 'number' && temperature >= 0 ? { temperature } : {}),
    ...(isTexts(stopSequences) && stopSequences.length > 0 ? { stop: stopSequences } : {}),
  }
}

function systemOf(text: unknown): readonly Message[] {
  if (typeof text !== 'string' || text === '') return []
  return [{ role: 'system', parts: [{ type: 'text', text: visible(text) }] }]
}

function sampledMessage(message: unknown): Message {
  const { role, content } = isObject(message) ? message : {}
  if (role !== 'user' && role !== 'assistant') throw refused('a message has an unknown role')
  const { parts } = contentOf(Array.isArray(content) ? content : [content])
  return { role, parts }
}

function shownOf({ role, parts }: Message): string {
  const texts = parts.map((part) => (part.type === 'text' ? part.text : `(${part.type})`))
  return `${role}: ${texts.join('\n')}`
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '')
}

const STOP_REASONS: { readonly [reason: string]: string } = {
  stop: 'endTurn',
  length: 'maxTokens',
}

function answerOf({ parts, model, finishReason }: ModelAnswer): SamplingAnswer {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const stopReason = STOP_REASONS[finishReason] ?? finishReason
  return { role: 'assistant', content: { type: 'text', text }, model, stopReason }
}
