import { expect } from 'chai'
import { Served } from './routes/served.ts'

const LIMITS = { bodies: 100_000, all_bodies: 150_000 }

/** A body that comes piece by piece, as its test lets it. */
class SlowBody {
  readonly stream: ReadableStream<Uint8Array>
  #controller!: ReadableStreamDefaultController<Uint8Array>
  /** How often more was asked for. */
  #asked = 0
  #sent = 0
  #wake: () => void = () => undefined

  constructor() {
    this.stream = new ReadableStream(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => {
          this.#asked++
          this.#wake()
        },
      },
      { highWaterMark: 0 },
    )
  }

  /** When it has been read, and more is asked for. */
  async send(bytes: number): Promise<void> {
    await this.#askedFor(++this.#sent)
    this.#controller.enqueue(new Uint8Array(bytes))
    await this.#askedFor(this.#sent + 1)
  }

  async #askedFor(count: number): Promise<void> {
    while (this.#asked < count) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  end(): void {
    this.#controller.close()
  }

  fail(): void {
    this.#controller.error(new Error('the client left'))
  }
}

describe('bodies that are under way', () => {
  let served: Served
  beforeEach(async () => {
    served = await Served.start({ limits: LIMITS })
    for (const as of ['ada', 'bob'] as const) {
      await served.ask('/api/conversations', { body: { id: 'a', agent: 'quick' }, as })
    }
  })
  afterEach(() => served.close())

  const upload = (body: Uint8Array | ReadableStream, as: 'ada' | 'bob') =>
    served.stream('/api/conversations/a/files', body, as)
  const whole = (size: number, as: 'ada' | 'bob') => upload(new Uint8Array(size), as)

  it('of one identity are so many bytes, and of all so many', async () => {
    const slow = new SlowBody()
    const first = upload(slow.stream, 'ada')
    await slow.send(90_000)
    const second = await whole(20_000, 'ada')
    expect(second.status).to.equal(429)
    expect(second.headers.get('retry-after')).to.equal('1')
    expect(await second.text())
      .to.include('TOO_MANY_REQUESTS')
      .and.include('100000 bytes')
    expect((await whole(50_000, 'bob')).status).to.equal(201)
    const third = await whole(70_000, 'bob')
    expect(third.status).to.equal(429)
    expect(await third.text()).to.not.include('100000')
    slow.end()
    expect((await first).status).to.equal(201)
    expect((await whole(90_001, 'ada')).status).to.equal(201)
  })

  it('count no more once a client has left', async () => {
    const slow = new SlowBody()
    const first = upload(slow.stream, 'ada')
    await slow.send(90_000)
    slow.fail()
    await first
    expect((await whole(90_000, 'ada')).status).to.equal(201)
  })
})
