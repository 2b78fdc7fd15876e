import { expect } from 'chai'
import anthropic from '../../providers/anthropic/index.ts'
import openai from '../../providers/openai/index.ts'
import openaiCompatible from '../../providers/openai-compatible/index.ts'
import { ReplayServer } from '../../scripts/replay/replay-server.ts'
import { streamReply } from '../../scripts/replay/replies.ts'
import { createHost, type Host } from '../../src/core/index.ts'
import {
  type Answered,
  counted,
  IS_EXHAUSTIVE,
  positions,
  settled,
  someSubjects,
  streamed,
} from './answers.ts'

const CUTS = IS_EXHAUSTIVE ? 200 : 1
const LARGEST = IS_EXHAUSTIVE ? Number.POSITIVE_INFINITY : 10_000

/** Other ways to write the same events. */
const FRAMES: { readonly [way: string]: (text: string) => string } = {
  'as recorded': (text) => text,
  'with CRLF': (text) => text.replaceAll(/\r?\n/g, '\r\n'),
  'with CR alone': (text) => text.replaceAll(/\r?\n/g, '\r'),
  'with comments between the events': (text) =>
    `: first\n${text.replaceAll(/\n\r?\n/g, (end) => `${end}: keep-alive\n\n:\n`)}`,
  'with data over several lines': (text) =>
    text.replaceAll(/^data: (.*)$/gm, (line, data: string) =>
      isJson(data) ? `data:${inLines(data).join('\ndata: ')}` : line,
    ),
  'with a byte-order mark': (text) => `\uFEFF${text}`,
  'with fields of other names, ids and a retry': (text) =>
    text.replaceAll(/^data: /gm, 'id: 7\nretry: 10\nnonsense\ndata: '),
}

describe('a recorded stream is the same over a socket, however its events are written', function () {
  this.timeout(IS_EXHAUSTIVE ? 3_600_000 : 20_000)
  let server: ReplayServer
  let host: Host
  before(async () => {
    server = await new ReplayServer().start()
    host = await createHost({ plugins: [anthropic, openai, openaiCompatible] })
  })
  after(async () => {
    await host.close()
    await server.close()
  })

  const some = someSubjects('stream', { largest: LARGEST, share: 5, start: 2 })
  for (const { place, recording } of some) {
    it(recording.name, async function () {
      const ask = (pieces: readonly Uint8Array[]): Promise<Answered> => {
        server.reply = () => streamReply(pieces, { delay: pieces.length > 1 ? 1 : 0 })
        return streamed(host, place, server.url)
      }
      const whole = await ask([Buffer.from(recording.text)])
      let count = 0
      for (const [way, written] of Object.entries(FRAMES)) {
        const bytes = Buffer.from(written(recording.text))
        for (const at of positions(bytes.length, CUTS)) {
          const answer = await ask([bytes.subarray(0, at), bytes.subarray(at)])
          if (answer.shown !== whole.shown || answer.error !== whole.error) {
            expect(answer, `${way}, cut at ${at}`).to.deep.equal(whole)
          }
          count++
        }
      }
      await settled(server)
      counted(this, count)
    })
  }
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** JSON with a line break after some of its tokens. */
function inLines(json: string): readonly string[] {
  const lines: string[] = ['']
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[^"]/g)) {
    lines[lines.length - 1] += token
    if (',{['.includes(token)) lines.push('')
  }
  return lines
}
