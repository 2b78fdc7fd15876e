import type { FilePart, Part, ToolResultPart } from '@braidwork/plugin'
import { defined, type RunFacts } from '../index.ts'
import { metadataOf } from './chunks.ts'
import { argumentsOfAsking, questionPart } from './questions.ts'
import {
  approvalData,
  isShown,
  type KnownApproval,
  uiAnswerFile,
  uiFile,
  uiSource,
} from './ui-parts.ts'
import { toolPart } from './ui-tool-part.ts'

/** The assistant parts of one step, and the results of its calls. */
export interface Step {
  readonly parts: Part[]
  readonly results: ToolResultPart[]
}

/** The context of a step. */
export interface StepPlace {
  readonly facts: RunFacts | undefined
  /** Approvals by the id of their call. */
  readonly approvals: ReadonlyMap<string, readonly KnownApproval[]>
  readonly sdk: number
  /** The number of the step in its message, starting at 1. */
  readonly step: number
}

/** Builds the parts of one step of a UI message. */
export class UiStep {
  readonly #parts: readonly Part[]
  readonly #calls: ReadonlySet<string>
  readonly #results: ReadonlyMap<string, ToolResultPart>
  readonly #place: StepPlace
  #reasonings = 0
  #sources = 0

  constructor({ parts, results }: Step, place: StepPlace) {
    const beside = parts.filter((part) => part.type === 'tool-result')
    this.#parts = parts
    this.#calls = new Set(parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : [])))
    this.#results = new Map([...beside, ...results].map((result) => [result.callId, result]))
    this.#place = place
  }

  parts(): object[] {
    const parts = this.#parts.flatMap((part) => this.#part(part))
    return [{ type: 'step-start' }, ...parts, ...this.#approvals()]
  }

  #part(part: Part): object[] {
    const { step } = this.#place
    switch (part.type) {
      case 'text':
        return textParts(part)
      case 'reasoning': {
        const id = `reasoning-${step}.${++this.#reasonings}`
        const { text } = part
        return [{ type: 'reasoning', id, text, ...metadataOf(part), state: 'done' }]
      }
      case 'file':
        return fileParts(part, uiAnswerFile)
      case 'source':
        return [uiSource(part, `source-${step}.${++this.#sources}`)]
      case 'tool-call':
        return [this.#call(part)]
      case 'tool-result':
        return this.#strayResult(part)
      default:
        return givenPart(part)
    }
  }

  #call(call: Extract<Part, { type: 'tool-call' }>): object {
    const asked = this.#place.approvals.get(call.callId)
    const approval = asked?.find(({ isQuestion }) => !isQuestion)
    const question = asked?.findLast(({ isQuestion }) => isQuestion)
    return toolPart(call, {
      ...defined({ result: this.#results.get(call.callId) }),
      ...defined({ approval: this.#place.sdk > 5 ? approval : undefined, question }),
      isClients: !call.providerExecuted && this.#place.facts?.clientTools.has(call.name) === true,
      hasResultMetadata: this.#place.sdk > 5,
    })
  }

  /** Converts a result whose call is in another message, in the same form as the encoder. */
  #strayResult(result: ToolResultPart): object[] {
    if (this.#calls.has(result.callId)) return []
    const { callId, name, providerExecuted } = result
    const call = { callId, name, input: {}, ...defined({ providerExecuted }) }
    return [this.#call({ type: 'tool-call', ...call })]
  }

  /** Builds data parts for questions in the middle of calls, and for approvals where the SDK version has none. */
  #approvals(): object[] {
    const { approvals, sdk } = this.#place
    const told = new Set([...this.#calls, ...this.#results.keys()])
    const asked = [...told].flatMap((callId) => approvals.get(callId) ?? [])
    return asked.flatMap((one) => {
      if (one.isQuestion) return argumentsOfAsking(one) === undefined ? [] : [questionPart(one)]
      return sdk > 5 ? [] : [approvalPart(one)]
    })
  }
}

function approvalPart(one: KnownApproval): object {
  return { type: 'data-approval', id: one.approvalId, data: approvalData(one) }
}

function textParts(part: Extract<Part, { type: 'text' }>): object[] {
  const metadata = metadataOf(part)
  if (part.text === '' && !metadata.providerMetadata) return []
  return [{ type: 'text', text: part.text, ...metadata, state: 'done' }]
}

/** Converts parts that look the same in messages of every role. */
export function givenPart(part: Part): object[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text, ...metadataOf(part) }]
  if (part.type === 'data') return [{ type: `data-${part.name}`, data: part.data }]
  return part.type === 'file' ? fileParts(part, uiFile) : []
}

function fileParts(file: FilePart, convert: (file: FilePart) => object): object[] {
  return isShown(file.url) ? [{ ...convert(file), ...defined({ filename: file.name }) }] : []
}
