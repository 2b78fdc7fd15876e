import type { Duplex } from 'node:stream'
import type { Com, Handler, Message } from './pythonia.ts'

/** The answer to a request whose interpreter ended. */
export interface Dead {
  readonly key: 'error'
  readonly sig: string
  readonly dead: Error
}

/**
 * Connects pythonia's Bridge to a socket, with one message per line. When the interpreter ends, every open request is
 * answered with an error; nothing is thrown into the event loop.
 */
export class SocketCom implements Com {
  readonly #socket: Duplex
  readonly #onNoise: (line: string) => void
  /** Pieces of an unfinished line. They are joined once, so that long lines stay cheap. */
  #parts: string[] = []
  #answers = new Map<number, Handler>()
  readonly #channels = new Map<string | number, Handler>()
  #dead: Error | undefined

  constructor(socket: Duplex, onNoise: (line: string) => void) {
    this.#socket = socket
    this.#onNoise = onNoise
    socket.setEncoding('utf8')
    socket.on('data', (data: string) => this.#onData(data))
    // Ignored: the end of the process follows, with a better reason.
    socket.on('error', () => undefined)
  }

  register(id: string | number, handler: Handler): void {
    this.#channels.set(id, handler)
  }

  write(message: { readonly r: number }, handler?: Handler): void {
    this.writeRaw(JSON.stringify(message), message.r, handler)
  }

  writeRaw(line: string, request: number, handler?: Handler): void {
    if (handler) this.#answers.set(request, handler)
    if (this.#dead) this.#fail(this.#dead)
    else this.#socket.write(`${line}\n`)
  }

  /** Answers all open and future requests with an error. */
  end(error: Error): void {
    if (this.#dead) return
    this.#dead = error
    this.#fail(error)
  }

  #fail(dead: Error): void {
    const open = this.#answers
    this.#answers = new Map()
    const answer: Dead = { key: 'error', sig: dead.message, dead }
    for (const [r, handler] of open) queueMicrotask(() => void handler({ r, ...answer }))
  }

  #onData(data: string): void {
    let end = data.indexOf('\n')
    if (end === data.length - 1 && this.#parts.length === 0) {
      this.#onLine(data)
      return
    }
    if (end === -1) {
      this.#parts.push(data)
      return
    }
    let head = this.#parts.join('')
    this.#parts = []
    let start = 0
    for (; end !== -1; end = data.indexOf('\n', start)) {
      this.#onLine(head + data.slice(start, end))
      head = ''
      start = end + 1
    }
    if (start < data.length) this.#parts.push(data.slice(start))
  }

  #onLine(line: string): void {
    let message: Message
    try {
      message = JSON.parse(line) as Message
    } catch {
      this.#onNoise(line)
      return
    }
    if (message.c !== undefined) {
      this.#channels.get(message.c)?.(message)
      return
    }
    const request = message.r ?? 0
    const handler = this.#answers.get(request)
    if (handler && handler(message) !== true) this.#answers.delete(request)
  }
}
