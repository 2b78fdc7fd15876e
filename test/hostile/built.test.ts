import { expect } from 'chai'
import anthropic from '../../providers/anthropic/index.ts'
import openai from '../../providers/openai/index.ts'
import openaiCompatible from '../../providers/openai-compatible/index.ts'
import type { Place } from '../../scripts/replay/place.ts'
import { ReplayServer } from '../../scripts/replay/replay-server.ts'
import { streamReply } from '../../scripts/replay/replies.ts'
import { createHost, type Host } from '../../src/core/index.ts'
import { HAS_ALL_CASES } from '../helpers/cases.ts'
import { type Answered, MemoryHost, settled, streamed } from './answers.ts'
import { PLACES, type Told, toldAsStream } from './built-answers.ts'

const TOLD: Told = { text: 'So:', id: 'call_1', name: 'weather', args: '{"city":"Ulm"}' }

/** How large an event may be. The default tier tries one that is large. */
const MEGABYTES = HAS_ALL_CASES ? 10 : 2

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

/** Arguments that are taken as they are, and what is made of them. */
const ARGUMENTS: { readonly [title: string]: { readonly args: string; readonly input: unknown } } =
  {
    'a key of the prototype': {
      args: '{"constructor":{"prototype":{"polluted":1}},"toString":2,"valueOf":3}',
      input: { constructor: { prototype: { polluted: 1 } }, toString: 2, valueOf: 3 },
    },
    'the key __proto__': {
      args: '{"__proto__":{"polluted":true}}',
      input: '{"__proto__":{"polluted":true}}',
    },
    'the key __proto__, spelled with escapes': {
      args: '{"\\u005f_proto__":{"polluted":true}}',
      input: '{"\\u005f_proto__":{"polluted":true}}',
    },
    'the text __proto__': { args: '{"name":"__proto__"}', input: { name: '__proto__' } },
    'a number beyond all numbers': { args: '{"count":1e999}', input: '{"count":1e999}' },
    'numbers with exponents': { args: '{"count":1e200}', input: { count: 1e200 } },
    'nesting of depth 10,000': { args: deep(10_000), input: deep(10_000) },
    'text that ends early': { args: '{"city":"U', input: '{"city":"U' },
    'a text in place of an object': { args: '"Ulm"', input: 'Ulm' },
  }

describe('a call with arguments that are hostile', () => {
  let memory: MemoryHost
  before(async () => {
    memory = await MemoryHost.start()
  })
  after(() => memory.close())

  for (const place of PLACES) {
    const label = [place.provider, place.api, place.preset].filter(Boolean).join(' ')

    for (const [title, { args, input }] of Object.entries(ARGUMENTS)) {
      it(`has its arguments, or their text: ${title} (${label})`, async () => {
        const answer = await memory.stream(place, toldAsStream(place.api, { ...TOLD, args }))
        expect(answer.error).to.equal(undefined)
        expect(answer.gathered).to.deep.equal(answer.messages)
        expect(callsOf(answer)).to.deep.equal([{ name: 'weather', input }])
        expect(({} as { polluted?: unknown }).polluted).to.equal(undefined)
      })
    }

    for (const word of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      it(`keeps "${word}" as an id and as a name (${label})`, async () => {
        const told = { ...TOLD, id: word, name: word }
        const answer = await memory.stream(place, toldAsStream(place.api, told))
        expect(answer.status).to.equal('done')
        expect(answer.gathered).to.deep.equal(answer.messages)
        expect(callsOf(answer)).to.deep.equal([{ name: word, input: { city: 'Ulm' } }])
      })
    }

    for (const index of [1_000_000_000, -1, '0', 1.5, '__proto__', 'constructor']) {
      it(`finds the call at the index ${JSON.stringify(index)} (${label})`, async () => {
        const answer = await memory.stream(place, toldAsStream(place.api, { ...TOLD, index }))
        if (answer.status === 'done') {
          expect(answer.gathered).to.deep.equal(answer.messages)
          expect(callsOf(answer)).to.deep.equal([{ name: 'weather', input: { city: 'Ulm' } }])
        } else expect(answer.code).to.equal('PROVIDER_FAILED')
      })
    }

    // A preset reads what every server of its API sends.
    if (place.preset !== undefined) continue

    it(`may be an event of ${MEGABYTES} MB (${label})`, async function () {
      this.timeout(60_000)
      const args = JSON.stringify({ city: 'x'.repeat(MEGABYTES * 1024 * 1024) })
      const text = 'ü'.repeat((MEGABYTES / 2) * 1024 * 1024)
      const answer = await memory.stream(place, toldAsStream(place.api, { ...TOLD, text, args }))
      expect(answer.status).to.equal('done')
      expect(JSON.stringify(answer.gathered).length).to.be.greaterThan(
        1.5 * MEGABYTES * 1024 * 1024,
      )
    })

    it(`fails in words where an event has a depth of 10,000 (${label})`, async () => {
      const stream = `data: {"type":"x","a":${deep(10_000)}}\n\n${toldAsStream(place.api, TOLD)}`
      const answer = await memory.stream(place, stream)
      expect(answer.code).to.equal('PROVIDER_FAILED')
      expect(answer.error).to.match(/deeper/)
      expect(callsOf(answer)).to.have.length(1)
    })
  }
})

describe('an answer that goes wrong while its connection stays open', () => {
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

  /** Asks every provider at once, each at an address of its own. */
  const ask = (textFor: (place: Place) => string): Promise<readonly Answered[]> => {
    server.reply = ({ path }) => {
      const place = PLACES[Number(path.split('/')[2])] as Place
      return streamReply(textFor(place), { ending: 'never' })
    }
    return Promise.all(PLACES.map((place, at) => streamed(host, place, `${server.url}/${at}`)))
  }

  it('is let go of after an error event', async () => {
    const event = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    const answers = await ask(() => `event: error\ndata: ${JSON.stringify(event)}\n\n`)
    expect(answers.map(({ code }) => code)).to.deep.equal(PLACES.map(() => 'OVERLOADED'))
    await settled(server)
  })

  it('is let go of after what is no JSON', async () => {
    const answers = await ask(() => 'data: {nope\n\n')
    expect(answers.map(({ code }) => code)).to.deep.equal(PLACES.map(() => 'PROVIDER_FAILED'))
    await settled(server)
  })

  it('is let go of after a whole answer', async () => {
    const answers = await ask((place) => toldAsStream(place.api, TOLD))
    expect(answers.map(({ status }) => status)).to.deep.equal(PLACES.map(() => 'done'))
    for (const answer of answers) expect(callsOf(answer)).to.have.length(1)
    await settled(server)
  })
})

function callsOf({ gathered }: Answered): readonly object[] {
  return gathered.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type === 'tool-call' ? [{ name: part.name, input: part.input }] : [],
    ),
  )
}
