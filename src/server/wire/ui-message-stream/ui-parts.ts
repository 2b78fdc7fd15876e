import type {
  ApprovalEvent,
  FilePart,
  FinishReason,
  Message,
  SourcePart,
  Usage,
} from '@braidwork/plugin'
import { addressType, defined, isFileAddress, isLink, nameOf, type RunFacts } from '../index.ts'
import { metadataOf } from './chunks.ts'

/**
 * Whether a page may load a file from its address, which is untrusted: it may come from a model, or from a page
 * that the model read.
 */
export function isShown(url: string | undefined): boolean {
  return url === undefined || isFileAddress(url)
}

/** Converts a source to the object that serves both as a chunk and as a part of a UI message. */
export function uiSource(source: SourcePart, sourceId: string): object {
  const { url, title } = source
  if (url !== undefined && isLink(url)) {
    return { type: 'source-url', sourceId, url, ...defined({ title }), ...metadataOf(source) }
  }
  const mediaType = textOf(source['mediaType']) ?? 'text/plain'
  const filename = textOf(source['filename'])
  const named = { title: title ?? filename ?? nameOf(url) ?? 'Document', ...defined({ filename }) }
  return { type: 'source-document', sourceId, mediaType, ...named, ...metadataOf(source) }
}

/** Converts a file to the object that serves both as a chunk and as a part of a UI message. */
export function uiFile(file: FilePart): object {
  const { mediaType, data, url = `data:${addressType(mediaType)};base64,${data ?? ''}` } = file
  return { type: 'file', mediaType, url, ...metadataOf(file) }
}

/**
 * Converts a file of an answer. A chunk has no field for its name, so the metadata have it under `braidwork`, in the
 * history too.
 */
export function uiAnswerFile(file: FilePart): object {
  const { providerMetadata, name: filename } = file
  if (filename === undefined) return uiFile(file)
  return uiFile({ ...file, providerMetadata: { ...providerMetadata, braidwork: { filename } } })
}

/**
 * Whether the arguments of a call are not valid JSON. For tools that a provider executes, plain text is allowed.
 */
export function isMalformed(call: {
  readonly input: unknown
  readonly providerExecuted?: boolean
}) {
  return typeof call.input === 'string' && !call.providerExecuted
}

/** The error text for arguments that are not valid JSON. */
export const MALFORMED = 'The arguments are not valid JSON.'

/** A requested approval. */
export type AskedApproval = Omit<Extract<ApprovalEvent, { type: 'approval-required' }>, 'type'>

/** A requested approval, with its answer once there is one. */
export interface KnownApproval extends AskedApproval {
  readonly answer?: {
    readonly approved: boolean
    readonly reason?: string
    /** The answer to a question. */
    readonly value?: unknown
  }
}

/** The content of the data part that represents an approval for SDK versions without approvals. */
export function approvalData({ answer, ...asked }: KnownApproval): object {
  const { approvalId, callId: toolCallId, name: toolName, input, expiresAt } = asked
  const state = answer ? 'resolved' : 'required'
  return {
    approvalId,
    toolCallId,
    toolName,
    input,
    ...defined({ expiresAt }),
    ...defined({ approved: answer?.approved, reason: answer?.reason }),
    state,
  }
}

/** The message metadata at the start. */
export function startMetadata({ agent, runId, createdAt }: RunFacts): object {
  return { agent, runId, createdAt }
}

/** How an answer ended, and what it used and cost. */
interface AnswerEnd {
  readonly finishReason: FinishReason
  readonly usage: Usage
  readonly messages: readonly Message[]
}

/** The message metadata at the end. The provider's raw usage is left out. */
export function finishMetadata({ finishReason, usage, messages }: AnswerEnd): object {
  const { raw: _, ...counts } = usage
  return { finishReason, usage: { ...counts, ...defined({ cost: costOf(messages) }) } }
}

/** Decimal places of a sum of costs; beyond them is only floating-point noise. */
const DIGITS = 12

/** The cost of an answer in US dollars, as a plugin wrote it into each of its messages. Unknown if one has none. */
function costOf(messages: readonly Message[]): number | undefined {
  const costs = messages.filter(({ role }) => role === 'assistant').map(dollarsOf)
  const sum = costs.reduce<number>((total, cost) => total + (cost ?? Number.NaN), 0)
  return costs.length > 0 && Number.isFinite(sum) ? Number(sum.toFixed(DIGITS)) : undefined
}

function dollarsOf({ metadata }: Message): number | undefined {
  const { total, currency } = Object(metadata?.['cost']) as { total?: unknown; currency?: unknown }
  return typeof total === 'number' && currency === 'USD' ? total : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
