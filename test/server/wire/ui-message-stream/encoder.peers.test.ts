import { expect } from 'chai'
import fc from 'fast-check'
import {
  SDK_VERSIONS,
  type UiMessageStreamOptions,
  uiMessageEncoder,
} from '../../../../src/server/wire/ui-message-stream/index.ts'
import { framesOf } from '../api-protocols.ts'
import { sseFrames } from '../frames.ts'
import { anyFacts, anyRun } from '../runs.ts'
import { askClients, needsClients } from './chat-clients.ts'
import { UiMessageStreamChecker } from './checker.ts'

const ALL: readonly UiMessageStreamOptions[] = [{}, ...SDK_VERSIONS.map((sdk) => ({ sdk }))]

describe('the encoder of the UI message stream', () => {
  it("writes only what each version's own schema takes", async function () {
    needsClients(this)
    this.timeout(60_000)
    const samples = fc.sample(fc.tuple(anyRun, anyFacts), { numRuns: 60, seed: 1 })
    const jobs = ALL.flatMap((options, way) => {
      const protocol = {
        encoder: (facts: (typeof samples)[number][1]) => uiMessageEncoder(facts, options),
        checker: () => new UiMessageStreamChecker(options),
      }
      const frames = samples.flatMap(([events, facts]) =>
        sseFrames(framesOf(protocol, events, facts).join('')),
      )
      const chunks = frames.flatMap(({ data }) => (data === '[DONE]' ? [] : [JSON.parse(data)]))
      const versions = options.sdk ? [options.sdk] : SDK_VERSIONS
      return versions.map((version) => {
        return { kind: 'validate', name: `${way} ${version}`, version, chunks } as const
      })
    })
    for (const { name, faults, thrown } of (await askClients(jobs)).values()) {
      expect({ faults, thrown }, name).to.deep.equal({ faults: [], thrown: undefined })
    }
  })
})
