/** A server in a process of its own that knows how long its event loop stood still. */
import anthropic from '../../../providers/anthropic/index.ts'
import openai from '../../../providers/openai/index.ts'
import openaiCompatible from '../../../providers/openai-compatible/index.ts'
import scripted from '../../../providers/scripted/index.ts'
import { createHost } from '../../../src/core/host/index.ts'
import { createServer, LOCAL, listen } from '../../../src/server/index.ts'
import { openStorage } from '../../../src/store/index.ts'
import { cpu, slowness } from '../../helpers/slowness.ts'
import { answerQuestions } from '../load/processes.ts'
import { modelsAt } from './models.ts'

export interface StretchQuestion {
  /** The address of the model APIs, and what the server keeps its runs in. */
  readonly begin?: { readonly api: string; readonly storage: string }
}

/** Milliseconds of CPU of the longest stretch since the last question. */
export interface Stretched {
  readonly url: string
  readonly longest: number
  /** How much longer than on the processor of the limit a known piece of work takes here and now. At least 1. */
  readonly slowness: number
}

const TICK = 2

let url = ''
let longest = 0
let before = cpu()

function tick(): void {
  const now = cpu()
  longest = Math.max(longest, now - before)
  before = now
}

answerQuestions(async ({ begin }: StretchQuestion): Promise<Stretched> => {
  if (begin) {
    const host = await createHost({ plugins: [openai, openaiCompatible, anthropic, scripted] })
    const server = await createServer({
      host,
      storage: await openStorage(begin.storage),
      models: modelsAt(begin.api),
      anonymous: LOCAL,
      limits: { requests_per_minute: 1_000_000 },
    })
    url = (await listen(server, { port: 0 })).url
    setInterval(tick, TICK)
  }
  const answer = { url, longest, slowness: slowness() }
  longest = 0
  before = cpu()
  return answer
})
