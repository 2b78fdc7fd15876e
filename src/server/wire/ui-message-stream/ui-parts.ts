import type { ApprovalEvent, FilePart, FinishReason, SourcePart, Usage } from '@braidwork/plugin'
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
  readonly answer?: { readonly approved: boolean; readonly reason?: string }
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

/** The message metadata at the end. The provider's raw usage is left out. */
export function finishMetadata(finishReason: FinishReason, { raw: _, ...usage }: Usage): object {
  return { finishReason, usage }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
