import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { RunEvent } from '../../src/plugin/events/index.ts'
import {
  EventBody,
  type EventBodyParts,
  type EventPages,
  type Page,
} from '../../src/server/event-body.ts'
import { DEFAULT_HEARTBEAT } from '../../src/server/options/server-options.ts'
import { KEEP_ALIVE } from '../../src/server/wire/index.ts'
import { timers } from '../helpers/timers.ts'

const HEARTBEAT = 20
const EVENT: RunEvent = { type: 'text-delta', id: 't', delta: 'word', runId: 'r', seq: 0 }
const END: Page = { value: undefined, done: true }

function pageOf(...events: readonly RunEvent[]): Page {
  return { value: events, done: false }
}

/** Pages that arrive when the test says so. */
class PagesByHand implements EventPages {
  #answer: (page: Page) => void = () => undefined
  isLeft = false

  next(): Promise<Page> {
    return new Promise((resolve) => {
      this.#answer = resolve
    })
  }

  async pipeTo(): Promise<void> {
    throw new Error('A web stream pulls its pages.')
  }

  async return(): Promise<Page> {
    this.isLeft = true
    this.#answer(END)
    return END
  }

  answer(page: Page): void {
    this.#answer(page)
  }
}

describe('an EventBody as a web stream', () => {
  let pages: PagesByHand
  let before = 0
  let ends = 0
  beforeEach(() => {
    pages = new PagesByHand()
    ends = 0
  })
  afterEach(() => expect(timers(), 'timers that were left').to.be.at.most(before))

  /** Returns a function that reads the next text, or undefined at the end, and one that cancels. */
  function open({ requested = [], heartbeat = HEARTBEAT }: Partial<EventBodyParts> = {}): {
    readonly read: () => Promise<string | undefined>
    readonly cancel: () => Promise<void>
  } {
    before = timers()
    const body = new EventBody({
      pages,
      requested,
      heartbeat,
      encoder: { encode: ({ type }) => `${type};` },
      onError: (error) => `failed: ${(error as Error).message}`,
      onEnd: () => void ends++,
    })
    const reader = body.stream().getReader()
    return {
      read: async () => {
        const { value } = await reader.read()
        return value && Buffer.from(value).toString()
      },
      cancel: () => reader.cancel(),
    }
  }

  it('sends the pages that were requested before it was made, and then the others', async () => {
    const reader = open({
      requested: [Promise.resolve(pageOf(EVENT, EVENT)), Promise.resolve(pageOf(EVENT))],
    })
    expect(await reader.read()).to.equal('text-delta;text-delta;')
    expect(await reader.read()).to.equal('text-delta;')
    const third = reader.read()
    await sleep(1)
    pages.answer(pageOf(EVENT))
    expect(await third).to.equal('text-delta;')
    await reader.cancel()
  })

  it('ends where a page that was requested before is the end', async () => {
    const reader = open({ requested: [Promise.resolve(END)] })
    expect(await reader.read()).to.equal(undefined)
    expect([pages.isLeft, ends]).to.deep.equal([true, 1])
  })

  it('keeps the connection open in a silence', async () => {
    const reader = open()
    expect(await reader.read()).to.equal(KEEP_ALIVE)
    expect(await reader.read()).to.equal(KEEP_ALIVE)
    const third = reader.read()
    pages.answer(pageOf(EVENT))
    expect(await third).to.equal('text-delta;')
    await reader.cancel()
  })

  it('sends a comment by default before Bun closes a silent connection, after 8 seconds at the earliest', () => {
    expect(DEFAULT_HEARTBEAT).to.be.below(8000)
  })

  it('queues no comments for a client that does not read', async () => {
    const reader = open({ heartbeat: 1 })
    expect(await reader.read()).to.equal(KEEP_ALIVE)
    await sleep(50)
    pages.answer(pageOf(EVENT))
    await sleep(10)
    expect(await reader.read()).to.equal(KEEP_ALIVE)
    expect(await reader.read()).to.equal('text-delta;')
    await reader.cancel()
  })

  it('tells the client of a page that failed before the client asked for it', async () => {
    const unhandled: unknown[] = []
    const onUnhandled = (error: unknown) => void unhandled.push(error)
    process.on('unhandledRejection', onUnhandled)
    const failed = Promise.reject<Page>(new Error('disk full'))
    const reader = open({ requested: [failed] })
    await sleep(5)
    process.off('unhandledRejection', onUnhandled)
    expect(unhandled).to.deep.equal([])
    expect(await reader.read()).to.equal('failed: disk full')
    expect(ends).to.equal(1)
    await reader.cancel()
  })

  it('leaves its pages when the client cancels, even while it waits for one', async () => {
    const reader = open()
    const waiting = reader.read()
    await reader.cancel()
    expect(await waiting).to.equal(undefined)
    expect([pages.isLeft, ends]).to.deep.equal([true, 1])
  })
})

describe('an EventBody on a connection', () => {
  it('leaves its pages when the client leaves, even while it waits for one', async () => {
    let leave: () => void = () => undefined
    const left = new Promise<void>((resolve) => {
      leave = resolve
    })
    let ends = 0
    const body = new EventBody({
      pages: {
        next: async () => END,
        pipeTo: () => left,
        return: async () => {
          leave()
          return END
        },
      },
      encoder: { encode: ({ type }) => `${type};` },
      heartbeat: HEARTBEAT,
      onError: String,
      onEnd: () => void ends++,
    })
    let written: Promise<void> | undefined
    const http = createServer((_request, response) => {
      response.writeHead(200)
      response.flushHeaders()
      written = body.writeTo(response)
    })
    await once(http.listen(0, '127.0.0.1'), 'listening')
    const { port } = http.address() as AddressInfo
    const client = new AbortController()
    await fetch(`http://127.0.0.1:${port}/`, { signal: client.signal })
    client.abort()
    await written
    expect(ends).to.equal(1)
    http.close()
  })
})
