import { expect } from 'chai'
import { openAnswer } from '../../../../providers/model-api/events/event-stream.ts'
import { limitsOf } from '../../../../providers/model-api/limits.ts'
import { expectLinear, type Work } from '../../../helpers/doubling.ts'
import { errorOf } from '../../../helpers/plugins.ts'

const PROFILE = { name: 'p', title: 'P' } as Parameters<typeof openAnswer>[0]['profile']
const ENDING = { wholeWith: () => undefined, hasDone: true }

/** What a body repeats. */
const BODIES = {
  'events that are whole': 'data: {"a":"bcd"}\n\n',
  'events that are no JSON': 'data: {\n\n',
  'lines of one event': 'data: b\n',
  'a line without an end': 'b',
  comments: ': b\n',
  'empty lines': '\n',
  'ends of lines': '\r',
  'halves of characters': '😀',
}
/** None of these answers is whole: each ends too early, has no JSON, or has more lines than an event may. */
const FAULTS = ['STREAM_INTERRUPTED', 'PROVIDER_FAILED']
/** Bytes of a piece, and how many bytes are tried. */
const CUTS = [
  { most: 1, sizes: [10_000, 20_000, 40_000] },
  { most: 65_536, sizes: [50_000, 100_000, 200_000] },
] as const

/** An answer whose body comes in pieces of so many bytes. */
function answerOf(bytes: Uint8Array, most: number): Response {
  let at = 0
  const read = async () => {
    const start = at
    at += most
    return start < bytes.length
      ? { done: false, value: bytes.subarray(start, at) }
      : { done: true, value: undefined }
  }
  const body = { getReader: () => ({ read, cancel: async () => undefined }) }
  return { body } as unknown as Response
}

function reading(bytes: Uint8Array, most: number): Work {
  return async () => {
    const response = answerOf(bytes, most)
    const limits = limitsOf({})
    const framing = 'server-sent-events'
    const reader = await openAnswer({ response, profile: PROFILE, limits, framing, ending: ENDING })
    const end = async () => {
      for (let events = await reader.next(); events; ) events = await reader.next()
    }
    const { code } = await errorOf(end)
    expect(code).to.be.oneOf(FAULTS)
  }
}

describe('the events of an answer are read in time that grows as it does', function () {
  this.timeout(300_000)

  for (const [name, text] of Object.entries(BODIES)) {
    for (const { most, sizes } of CUTS) {
      it(`${name}, in pieces of ${most} bytes`, async () => {
        const make = (size: number) =>
          reading(Buffer.from(text.repeat(size / Buffer.byteLength(text))), most)
        await expectLinear({ name, sizes, make })
      })
    }
  }
})
