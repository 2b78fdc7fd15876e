import type { ApprovalEvent, FilePart, FinishReason, SourcePart, Usage } from '@braidwork/plugin'
import { addressType, defined, isFileAddress, isLink, nameOf, type RunFacts } from '../index.ts'
import { metadataOf } from './chunks.ts'

/** Whether a page may take a file from where it is: a model, or what it read, may have written any address. */
export function isShown(url: string | undefined): boolean {
  return url === undefined || isFileAddress(url)
}

/** A source as a chunk and as a part of a UI message, which are alike. */
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

/** A file as a chunk and as a part of a UI message. */
export function uiFile(file: FilePart): object {
  const { mediaType, data, url = `data:${addressType(mediaType)};base64,${data ?? ''}` } = file
  return { type: 'file', mediaType, url, ...metadataOf(file) }
}

/** Whether the model's arguments came as something else than JSON; a provider's own tools may take a text. */
export function isMalformed(call: {
  readonly input: unknown
  readonly providerExecuted?: boolean
}) {
  return typeof call.input === 'string' && !call.providerExecuted
}

/** What a client is told of arguments that are no JSON. */
export const MALFORMED = 'The arguments are no JSON.'

/** An approval that a person is asked for. */
export type AskedApproval = Omit<Extract<ApprovalEvent, { type: 'approval-required' }>, 'type'>

/** One with what the person said, once something was. */
export interface KnownApproval extends AskedApproval {
  readonly answer?: { readonly approved: boolean; readonly reason?: string }
}

/** An approval for clients that have no word for it: a data part. */
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

/** What a message says of itself when it begins. */
export function startMetadata({ model, runId, createdAt }: RunFacts): object {
  return { model, runId, createdAt }
}

/** What a message says of itself when it has ended. The provider's own count stays with the host. */
export function finishMetadata(finishReason: FinishReason, { raw: _, ...usage }: Usage): object {
  return { finishReason, usage }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
