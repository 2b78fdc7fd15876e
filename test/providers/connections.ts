import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import type { ReplayServer } from '../../scripts/replay/replay-server.ts'
import { jsonReply, streamReply } from '../../scripts/replay/replies.ts'
import type { ConfigLayer, Host } from '../../src/core/index.ts'
import { streamed } from './openai/asking.ts'

/** A server, a host that asks it, and bodies of streams of one API. */
export interface Line {
  readonly server: ReplayServer
  readonly host: Host
  /** A stream that has begun to think, and stays open. */
  readonly begun: string
  readonly whole: string
  configFor(more?: ConfigLayer): ConfigLayer
}

/** Waits until the provider has let go of every connection that carried an unfinished answer. */
export async function socketsClosed(server: ReplayServer): Promise<void> {
  for (let tries = 0; server.open > 0 && tries < 200; tries++) await wait(10)
  expect(server.open).to.equal(0)
}

/** What a connection to any API does, however it ends. */
export function itLetsGo(api: string, line: () => Line): void {
  const serving = (pieces: string): Line => {
    const now = line()
    now.server.reply = () => streamReply(pieces, { ending: 'never' })
    return now
  }

  it(`times out where no headers come within limits.connect (${api})`, async () => {
    const { server, host, configFor } = line()
    server.reply = () => ({ pieces: [], headerDelay: 60_000 })
    const { result } = await streamed(host, configFor({ limits: { connect: 0.1 } }))
    expect(result.error).to.include({ code: 'TIMEOUT', retryable: true })
    expect(result.error?.message).to.include('limits.connect')
    await socketsClosed(server)
  })

  it(`times out where a stream stalls, keeps what came, and closes the socket (${api})`, async () => {
    const { server, host, configFor } = serving(line().begun)
    const config = configFor({ limits: { stream_idle: 0.5 } })
    const { gathered, result } = await streamed(host, config)
    expect(result.error).to.include({ code: 'TIMEOUT' })
    expect(gathered[0]?.parts[0]).to.have.property('type', 'reasoning')
    await socketsClosed(server)
  })

  it(`does not wait long for an end after the answer, or after a malformed event (${api})`, async () => {
    const { server, host, configFor } = line()
    const [whole, malformed] = [line().whole, 'data: {nope\n\n']
    server.reply = ({ body }) =>
      streamReply(body['model'] === 'whole' ? whole : malformed, { ending: 'never' })
    const ended = ['whole', 'malformed'].map((model) => streamed(host, configFor({ model })))
    const statuses = (await Promise.all(ended)).map(({ result }) => result.status)
    expect(statuses).to.deep.equal(['done', 'failed'])
    await socketsClosed(server)
  })

  it(`aborts at once when it is cancelled, and closes the socket (${api})`, async () => {
    const { server, host, configFor } = serving(line().begun)
    const controller = new AbortController()
    const stream = host.stream(configFor(), 'Hello', { signal: controller.signal })
    for await (const event of stream) if (event.type === 'reasoning-delta') controller.abort()
    expect((await stream.result).status).to.equal('aborted')
    await socketsClosed(server)
  })

  it(`closes the socket when the reader leaves (${api})`, async () => {
    const { server, host, configFor } = serving(line().begun)
    for await (const event of host.stream(configFor(), 'Hello')) {
      if (event.type === 'reasoning-delta') break
    }
    await socketsClosed(server)
  })

  it(`aborts a call that does not stream (${api})`, async () => {
    const { server, host, configFor } = line()
    server.reply = () => ({ pieces: ['{'], ending: 'never' })
    const signal = AbortSignal.timeout(100)
    const error: unknown = await host
      .send(configFor(), 'Hello', { signal })
      .catch((reason: unknown) => reason)
    expect(error).to.include({ code: 'ABORTED' })
    await socketsClosed(server)
  })
}

/** Refuses twice, and then answers; the provider may try again twice. */
export async function expectRetries(
  { server, host, whole }: Line,
  config: ConfigLayer,
): Promise<void> {
  server.reply = () =>
    server.requests.length < 3
      ? jsonReply(
          { error: { message: 'busy' } },
          { status: 429, headers: { 'retry-after-ms': '1' } },
        )
      : streamReply(whole)
  const { result } = await streamed(host, config)
  expect(result.status).to.equal('done')
  expect(server.requests).to.have.length(3)
}
