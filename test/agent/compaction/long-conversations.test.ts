import { expect } from 'chai'
import fc from 'fast-check'
import {
  type AskModel,
  compactConversation,
  compactionPolicyOf,
} from '../../../src/agent/compaction/index.ts'
import { systemEnvironment } from '../../../src/agent/environment.ts'
import { tokensIn } from '../../../src/agent/estimated-tokens.ts'
import { historyOfNodes, loadShownNodes, shownPath } from '../../../src/agent/history/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { openCalls } from '../../../src/agent/settle-calls.ts'
import type { CompactionMarker, NewEntry, Storage } from '../../../src/agent/storage/index.ts'
import type { Message } from '../../../src/plugin/events/index.ts'
import { HAS_ALL_CASES } from '../../helpers/cases.ts'
import { ifNeedless, strayResults } from './expected.ts'
import { LongConversation, type Promised } from './long-conversation.ts'

const OWNER = 'ada'
const TALK = 'talk'
const WINDOW = 24_000
const SUMMARY = 500
/** A turn has at most so many steps, and so it fits into the window. */
const MOST_STEPS = 8
const RUNS = HAS_ALL_CASES ? 200 : 3
const [LEAST, MOST] = [50, 2000]

/** A generated conversation: numbers of which its messages are made, and how often it is compacted. */
interface Given {
  readonly seeds: readonly number[]
  readonly length: number
  readonly times: number
}

/** Compacted more often than so few runs may be by chance. */
const OFTEN: Given = { seeds: [3, 14, 15, 92, 65, 35, 89, 79], length: 600, times: 10 }

describe('compactions of long conversations', function () {
  this.timeout(HAS_ALL_CASES ? 600_000 : 60_000)

  it('LR-08 keep errors, references and open calls, and stay within the window', async () => {
    const given: fc.Arbitrary<Given> = fc.record({
      seeds: fc.array(fc.nat(1_000_000), { minLength: 8, maxLength: 200, size: 'max' }),
      length: fc.integer({ min: LEAST, max: MOST }),
      times: fc.integer({ min: 1, max: 20 }),
    })
    let done = 0
    const property = fc.asyncProperty(given, async (one) => {
      const conversation = new Compacted()
      await conversation.go(one)
      done += conversation.done
    })
    await fc.assert(property, { numRuns: RUNS, examples: [[OFTEN]] })
    expect(done, 'how many compactions there were').to.be.above(RUNS)
  })
})

/** What is said while a call is open. */
const MEANWHILE = ['wait', 'or not', 'well', 'then'].map(user)

/** A conversation in a storage that is compacted as it grows. */
class Compacted {
  readonly #storage: Storage = memoryStorage()
  readonly #conversation = new LongConversation()
  readonly #stored = { storage: this.#storage, owner: OWNER, conversationId: TALK }
  done = 0
  #count = 0

  async go({ seeds, length, times }: Given): Promise<void> {
    const made = { id: TALK, owner: OWNER, agent: 'x', sender: OWNER }
    await this.#storage.conversations.create(made, 1)
    for (let round = 1, at = 0; round <= times; round++) {
      while (this.#count < (length * round) / times) {
        const steps = (seeds[at % seeds.length] as number) % MOST_STEPS
        const turn = Array.from(
          { length: steps + 1 },
          (_, step) => seeds[(at + step) % seeds.length],
        )
        await this.#append(this.#conversation.turn(turn.map((seed = 0) => seed + at)))
        at += steps + 1
      }
      await this.#compactWithRequest(round % 2 === 0 ? [] : MEANWHILE)
    }
  }

  /** Compacts while a call is open, with what was said since, and once it is answered. */
  async #compactWithRequest(since: readonly Message[]): Promise<void> {
    const [request, answer] = this.#conversation.request()
    await this.#append([user('pay'), request, ...since])
    await this.#compact()
    expect(openCalls(await this.#shown()), 'the open call').to.have.length(1)
    await this.#append([answer])
    await this.#compact()
    expect(openCalls(await this.#shown())).to.deep.equal([])
  }

  async #compact(): Promise<void> {
    const room = { contextWindow: WINDOW, maxOutputTokens: 2000 }
    const work = compactConversation({
      ...this.#stored,
      createdAt: 1,
      environment: systemEnvironment,
      policy: compactionPolicyOf({ summary_max_tokens: SUMMARY }, {}, room),
      trigger: 'threshold',
      ask: this.#ask,
    })
    const done = await work.catch(ifNeedless)
    if (done) this.done++
    await this.#check()
  }

  readonly #ask: AskModel = async (_config, message) => {
    expect(tokensIn([message]) + SUMMARY, 'the request for a summary').to.be.at.most(WINDOW)
    const said = `summary ${this.#count} `.repeat(this.#count % 80)
    return {
      messages: [{ role: 'assistant', parts: [{ type: 'text', text: `s${said}` }] }],
      usage: {},
    }
  }

  async #check(): Promise<void> {
    const shown = await this.#shown()
    expect(tokensIn(shown), 'what the model is shown').to.be.at.most(WINDOW)
    expect(strayResults(shown)).to.deep.equal([])
    const { incidents, evidence }: Promised = this.#conversation.promised
    const all = JSON.stringify(shown)
    const marker = await this.#marker()
    const known = (text: string) => all.includes(text) || isStored(marker, text)
    const lost = [...incidents.values(), ...evidence].filter((text) => !known(text))
    expect(lost, 'errors and references that are lost').to.deep.equal([])
    await this.#checkArchive(marker, all)
  }

  /** What has no room is in a file that the model is shown the reference of. */
  async #checkArchive(marker: CompactionMarker | undefined, shown: string): Promise<void> {
    if (marker === undefined) return
    expect(shown).to.include(marker.archive)
    expect(await this.#storage.files.has(OWNER, marker.archive, TALK)).to.equal(true)
  }

  async #marker(): Promise<CompactionMarker | undefined> {
    return shownPath(await loadShownNodes(this.#stored)).marker?.marker
  }

  async #shown(): Promise<readonly Message[]> {
    return historyOfNodes(await loadShownNodes(this.#stored))
  }

  async #append(messages: readonly Message[]): Promise<void> {
    const entries = messages.map(
      (message): NewEntry => ({ id: `e${this.#count++}`, kind: 'message', message }),
    )
    await this.#storage.conversations.append(OWNER, TALK, { entries }, 1)
  }
}

function isStored(marker: CompactionMarker | undefined, text: string): boolean {
  return marker?.keptShown !== undefined && JSON.stringify(marker.kept).includes(text)
}

function user(said: string): Message {
  return { role: 'user', parts: [{ type: 'text', text: said }] }
}
