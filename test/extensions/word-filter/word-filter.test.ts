import { expect } from 'chai'
import fc from 'fast-check'
import {
  type ConfigLayer,
  createHost,
  HostError,
  type Message,
  type Part,
  textOf,
} from '../../../src/core/index.ts'
import type { PartialEvent } from '../../../src/plugin/events/index.ts'
import { bothWays, cuts, deltasIn, replayWith, segment, textPart } from '../../helpers/both-ways.ts'
import { CASES_ENV, HAS_ALL_CASES, propertyRuns, propertyTimeout } from '../../helpers/cases.ts'
import { errorOf, eventProvider } from '../../helpers/plugins.ts'
import { describePythonTests, loadPython, pythonOf } from '../../helpers/python.ts'
import { hasShared } from '../../helpers/recordings.ts'

const FOLDER = 'extensions/word-filter'

function configOf(words: readonly unknown[]) {
  return { settings: { 'word-filter': { words } } }
}

/** The text with whole words replaced, as a pattern would. */
function replaced(text: string, words: readonly string[]): string {
  const sign = '[\\p{L}\\p{N}\\p{M}_\\u200c\\u200d]'
  return text.replaceAll(new RegExp(`(?<!${sign})(${words.join('|')})(?!${sign})`, 'giu'), '***')
}

function textIn(part: Part): string {
  return part.type === 'text' || part.type === 'reasoning' ? part.text : ''
}

describePythonTests('word-filter, hook by hook', 'test/extensions/word-filter', CASES_ENV)

describe('word-filter in a host', function () {
  this.timeout(propertyTimeout(60_000))
  before(async function () {
    await pythonOf(this)
  })

  async function filtered(events: Parameters<typeof bothWays>[0]['events'], ...words: string[]) {
    return bothWays({ events, plugins: [await loadPython(FOLDER)], config: configOf(words) })
  }

  it('CL-42 replaces words in events and messages, split between chunks too', async () => {
    const events = [...segment('reasoning', ['DA', 'RN', ' it']), ...textPart(['oh d', 'arn'], '2')]
    const { messages, events: seen } = await filtered(events, 'darn')
    expect(deltasIn(seen)).to.deep.equal(['*** it', 'oh ', '***'])
    expect(messages[0]?.parts).to.deep.equal([
      { type: 'reasoning', text: '*** it' },
      { type: 'text', text: 'oh ***' },
    ])
  })

  it('says the same however an answer is cut, and loses nothing', async () => {
    const words = ['darn', '𝒹𝒶𝓇𝓃']
    const answer: { events: readonly PartialEvent[] } = { events: [] }
    const provider = { ...eventProvider([]), stream: () => answer.events }
    const config = { enabled_plugins: ['word-filter'], ...configOf(words) }
    const host = await createHost({ plugins: [provider, `./${FOLDER}`], config })
    const said = async (pieces: readonly string[]) => {
      answer.events = textPart(pieces)
      return (await host.send({}, 'Hello')).messages.map(textOf).join()
    }
    const sign = fc.constantFrom('darn', 'Da', 'rn', ' ', '.', '𝒹𝒶𝓇𝓃', 'é', '🙂', '__proto__')
    const text = fc.array(sign, { minLength: 1, maxLength: 12 }).map((signs) => signs.join(''))
    await fc.assert(
      fc.asyncProperty(cuts(text), async (pieces) => {
        expect(await said(pieces)).to.equal(replaced(pieces.join(''), words))
      }),
      { numRuns: propertyRuns(100, 10) },
    )
    await host.close()
  })

  it('changes what every provider says by these words alone', async () => {
    const words = ['the', 'a', 'is', 'I']
    const count = await replayWith(
      [await loadPython(FOLDER)],
      (messages, plain) => {
        const texts = (all: readonly Message[]) => all.flatMap(({ parts }) => parts.map(textIn))
        expect(texts(messages)).to.deep.equal(texts(plain).map((text) => replaced(text, words)))
      },
      { config: configOf(words) },
    )
    // Of the recordings, an ordinary clone has the project's own alone.
    const least = hasShared ? 20 : 10
    expect(count).to.be.above(HAS_ALL_CASES ? least : least / 5)
  })

  it('CL-01 is off until it is asked for, and refuses words that are none', async () => {
    const host = await createHost({ plugins: ['scripted', `./${FOLDER}`] })
    const ruleOf = async (config: ConfigLayer) =>
      (await host.resolve(config)).trace.find(({ plugin }) => plugin === 'word-filter')?.rule
    const on = { enabled_plugins: ['word-filter'] }
    expect(await ruleOf(configOf(['darn']))).to.equal('off by default')
    expect(await ruleOf(on)).to.equal('tags')
    const error = await errorOf(host.send({ ...on, ...configOf(['fine', 'no word']) }, 'Hello'))
    expect(HostError.is(error)).to.equal(true)
    expect(error).to.include({
      code: 'SETTINGS_INVALID',
      plugin: 'word-filter',
      pointer: '/settings/word-filter/words/1',
    })
    await host.close()
  })
})
