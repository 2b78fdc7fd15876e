import { expect } from 'chai'
import type { Reply } from '../../scripts/replay/replay-server.ts'
import { jsonReply, streamReply } from '../../scripts/replay/replies.ts'
import type { ConfigLayer, Host } from '../../src/core/index.ts'
import { HAS_ALL_CASES } from '../helpers/cases.ts'
import { type Streamed, streamed } from './openai/asking.ts'

/** An answer that is none, and the error that it comes to. */
export interface BadAnswer {
  readonly title: string
  readonly reply: Reply
  readonly code: string
  readonly facts?: object
  readonly message?: RegExp
}

export const refused = (
  status: number,
  error: object,
  headers: { [name: string]: string } = {},
): Reply => jsonReply({ error }, { status, headers })

/** Answers that any API may give, in send and stream. */
export const REFUSALS: readonly BadAnswer[] = [
  {
    title: 'an unknown path',
    reply: jsonReply({ detail: 'Not Found' }, { status: 404 }),
    code: 'INVALID_REQUEST',
    message: /settings\.[a-z-]+\.base_url/,
  },
  {
    title: 'an overloaded server',
    reply: refused(503, { message: 'Overloaded' }),
    code: 'OVERLOADED',
    facts: { status: 503, retryable: true },
  },
  { title: 'status 529', reply: refused(529, { message: 'busy' }), code: 'OVERLOADED' },
  {
    title: 'a page of a gateway',
    reply: {
      status: 502,
      headers: { 'content-type': 'text/html' },
      pieces: ['<html><h1>Bad gateway</h1></html>'],
    },
    code: 'PROVIDER_FAILED',
    facts: { status: 502, retryable: true },
    message: /page/,
  },
  {
    title: 'an error that is a text',
    reply: jsonReply({ error: 'no such deployment' }, { status: 400 }),
    code: 'INVALID_REQUEST',
    message: /no such deployment/,
  },
  {
    title: 'a status alone',
    reply: { status: 418, pieces: [] },
    code: 'INVALID_REQUEST',
    facts: { status: 418 },
  },
  {
    title: 'a page in place of an answer',
    reply: {
      headers: { 'content-type': 'text/html' },
      pieces: ['<!doctype html><title>Login</title>'],
    },
    code: 'PROVIDER_FAILED',
    message: /doctype/,
  },
  {
    title: 'an error inside a 200',
    reply: jsonReply({ error: { message: 'Overloaded', code: 503 } }),
    code: 'OVERLOADED',
  },
  {
    title: 'an answer of another kind',
    reply: jsonReply({ hello: 'world' }),
    code: 'PROVIDER_FAILED',
  },
  { title: 'a JSON list', reply: jsonReply([1, 2]), code: 'PROVIDER_FAILED' },
  {
    title: 'half an answer',
    reply: { pieces: ['{"id": "x", "choi'], ending: 'lost' },
    code: 'STREAM_INTERRUPTED',
  },
]

/** Streams that any API may send. */
export const STREAMS: readonly BadAnswer[] = [
  { title: 'nothing', reply: streamReply(''), code: 'STREAM_INTERRUPTED' },
  {
    title: 'comments alone',
    reply: streamReply(': ping\n\n: ping\n\n'),
    code: 'STREAM_INTERRUPTED',
  },
  {
    title: 'a page that says it is events',
    reply: streamReply('<html>no</html>'),
    code: 'PROVIDER_FAILED',
  },
  {
    title: 'JSON that says it is events',
    reply: streamReply('{"id":"x"}'),
    code: 'PROVIDER_FAILED',
  },
  {
    title: 'an error that only its name tells',
    reply: streamReply('event: error\ndata: {"message":"It broke"}\n\n'),
    code: 'PROVIDER_FAILED',
    message: /It broke/,
  },
  {
    title: 'JSON that is none',
    reply: streamReply('data: {"type": nope}\n\n'),
    code: 'PROVIDER_FAILED',
    message: /not JSON/,
  },
  {
    title: 'an event of depth 10,000',
    reply: streamReply(`data: {"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}\n\n`),
    code: 'PROVIDER_FAILED',
    message: /deeper/,
  },
  {
    title: 'bytes that are no UTF-8',
    reply: streamReply([Uint8Array.from([0xff, 0xfe, 0x80, 0x0a, 0x0a])]),
    code: 'STREAM_INTERRUPTED',
  },
]

/** Checks an error of a plugin, which must not have the key. */
export function expectError(
  error: unknown,
  { code, facts = {}, message = /./ }: Omit<BadAnswer, 'title' | 'reply'>,
  { plugin, key }: { readonly plugin: string; readonly key: string },
): void {
  expect(error).to.include({ code, plugin, ...facts })
  expect((error as Error).message)
    .to.match(message)
    .and.not.include(key)
}

/** The error of a request that must fail, by stream. */
export async function failOf(host: Host, config: ConfigLayer): Promise<object> {
  const { result } = await streamed(host, config)
  expect(result.status).to.equal('failed')
  return result.error ?? {}
}

/** The error of a request that must fail, by send. */
export async function throwOf(host: Host, config: ConfigLayer): Promise<unknown> {
  return host.send(config, 'Hello').catch((error: unknown) => error)
}

/** The size of an event that is much larger than any other. */
export const MEGABYTES = HAS_ALL_CASES ? 10 : 2

/** How many bytes there are from one cut to the next, and at the end of the answer, which has so many. */
const [FAR, NEAR, END] = HAS_ALL_CASES ? [7, 1, 400] : [301, 3, 60]

/**
 * Streams a body cut off behind every few bytes, and behind each at its end: it is interrupted until the
 * answer is whole, and never again after that.
 */
export async function expectInterrupted(
  body: Uint8Array<ArrayBuffer>,
  stream: (cut: Uint8Array<ArrayBuffer>) => Promise<Streamed>,
): Promise<void> {
  const seen: string[] = []
  const far = body.length - END
  const next = (length: number) => (length < far ? Math.min(length + FAR, far) : length + NEAR)
  for (let length = 0; length <= body.length; length = next(length)) {
    const { gathered, result } = await stream(body.subarray(0, length))
    seen.push(result.error?.code ?? result.status)
    if (result.status === 'done') expect(gathered).to.deep.equal(result.messages)
  }
  const whole = seen.indexOf('done')
  expect(new Set(seen.slice(0, whole))).to.deep.equal(new Set(['STREAM_INTERRUPTED']))
  expect(new Set(seen.slice(whole))).to.deep.equal(new Set(['done']))
}

/** A date for a header, ten seconds from now. */
export const inTenSeconds = (): string => new Date(Date.now() + 10_000).toUTCString()
