import { faultIn } from '@braidwork/core/internal'
import { findJsonFault, HostError, isObject } from '@braidwork/plugin'
import { hashOf } from './file-hash.ts'
import type { StoredRecord } from './records.ts'

const TEXT = { type: 'string' } as const
const COUNT = { type: 'integer', minimum: 0 } as const
const OBJECT = { type: 'object' } as const

/** The place of a child run in its tree. */
const PLACE = { type: 'object', properties: { rootRunId: TEXT }, required: ['rootRunId'] } as const

function objectOf(
  required: { readonly [key: string]: object },
  optional: { readonly [key: string]: object } = {},
) {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
  }
}

/**
 * The properties that storages read, by record type. All other properties belong to the caller and are stored
 * unchanged.
 */
const SCHEMAS: ReadonlyMap<unknown, { readonly [key: string]: unknown }> = new Map([
  [
    'conversation',
    objectOf({
      conversation: objectOf(
        {
          id: TEXT,
          owner: TEXT,
          agent: TEXT,
          sender: TEXT,
          metadata: OBJECT,
          createdAt: COUNT,
          updatedAt: COUNT,
        },
        { title: TEXT, head: TEXT, expiresAt: COUNT },
      ),
    }),
  ],
  [
    'entry',
    objectOf({
      owner: TEXT,
      conversationId: TEXT,
      entry: objectOf(
        { id: TEXT, seq: COUNT, kind: { enum: ['message', 'compaction'] }, createdAt: COUNT },
        {
          parent: TEXT,
          runId: TEXT,
          origin: objectOf({ runId: TEXT, conversationId: TEXT, agent: TEXT, createdAt: COUNT }),
          message: objectOf({ role: TEXT, parts: { type: 'array', items: OBJECT } }),
        },
      ),
    }),
  ],
  [
    'run',
    objectOf(
      {
        run: objectOf(
          {
            id: TEXT,
            owner: TEXT,
            status: { enum: ['active', 'suspended', 'done', 'failed', 'aborted', 'interrupted'] },
            order: OBJECT,
            startedAt: COUNT,
            nextSeq: COUNT,
            legSeq: COUNT,
          },
          { conversationId: TEXT, place: PLACE, endedAt: COUNT, prunedAt: COUNT },
        ),
      },
      { idempotencyKey: TEXT },
    ),
  ],
  ['event', objectOf({ event: objectOf({ runId: TEXT, seq: COUNT, type: TEXT }, { at: COUNT }) })],
  [
    'approval',
    objectOf({
      approval: objectOf(
        {
          id: TEXT,
          owner: TEXT,
          runId: TEXT,
          callId: TEXT,
          tool: TEXT,
          binding: TEXT,
          requestedAt: COUNT,
          expiresAt: COUNT,
        },
        { answer: objectOf({ approved: { type: 'boolean' }, answeredAt: COUNT }) },
      ),
    }),
  ],
  [
    'file',
    objectOf(
      { owner: TEXT, file: objectOf({ hash: TEXT, mediaType: TEXT, bytes: TEXT }, { name: TEXT }) },
      { conversationId: TEXT },
    ),
  ],
  [
    'shared',
    objectOf({
      runId: TEXT,
      shared: objectOf({
        key: { type: 'string', maxLength: 200 },
        value: {},
        version: { type: 'integer', minimum: 1 },
        agent: TEXT,
      }),
    }),
  ],
  ['settings', objectOf({ owner: TEXT, layer: OBJECT })],
  [
    'agent',
    objectOf({
      agent: objectOf({ id: TEXT, owner: TEXT, name: TEXT, spec: OBJECT, updatedAt: COUNT }),
    }),
  ],
  [
    'document',
    objectOf({
      document: objectOf({
        owner: TEXT,
        kind: { enum: ['memory', 'skill', 'manifest', 'config', 'costs', 'model'] },
        name: TEXT,
        content: {},
        updatedAt: COUNT,
      }),
    }),
  ],
  ['value', objectOf({ plugin: TEXT, key: TEXT, value: {} }, { conversationId: TEXT })],
])

/**
 * Checks a value from an untrusted source and returns it as a record.
 * @throws {HostError} REQUEST_INVALID, with a pointer to the fault
 */
export async function checkRecord(value: unknown): Promise<StoredRecord> {
  const schema = isObject(value) ? SCHEMAS.get(value['type']) : undefined
  if (!schema)
    throw invalid('the value is not a storage record, since its "type" is missing or unknown', '')
  const fault = findJsonFault(value)
  if (fault) throw invalid(fault.reason, fault.pointer)
  const mismatch = await faultIn(schema, value)
  if (mismatch) throw invalid(mismatch.message, mismatch.pointer)
  const record = value as StoredRecord
  if (record.type === 'file') checkHash(record.file)
  return record
}

/**
 * Checks that a file's hash matches its bytes. Files are found by hash, so a file with another file's hash would be
 * served in its place.
 */
function checkHash({ hash, bytes }: { readonly hash: string; readonly bytes: string }): void {
  const actual = hashOf(Buffer.from(bytes, 'base64'))
  if (actual !== hash) throw invalid('"hash" is not the SHA-256 of "bytes"', '/file/hash')
}

function invalid(reason: string, pointer: string): HostError {
  return new HostError('REQUEST_INVALID', reason, { pointer })
}
