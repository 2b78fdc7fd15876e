import { expect } from 'chai'
import { type ToolFolder, toolFolder } from './tool-folder.ts'
import { toolRound } from './tool-round.ts'

describe('a server that is killed while its tools write', () => {
  let folder: ToolFolder

  beforeEach(async () => {
    folder = await toolFolder()
  })
  afterEach(() => folder.remove())

  for (const onInterrupt of ['end', 'resume'] as const) {
    it(`LT-10 has a record of every line, runs no call twice, and shows each in the next request: ${onInterrupt}`, async () => {
      let lines = 0
      for (const frames of [40, 120, 240, 360]) {
        const round = await toolRound(folder, { runs: 12, frames, onInterrupt })
        const { lines: written, lost, doubled, faults } = round
        expect({ lost, doubled, faults }, `after ${frames} frames`).to.deep.equal({
          lost: 0,
          doubled: 0,
          faults: [],
        })
        lines += written
      }
      expect(lines).to.be.above(10)
    }).timeout(60_000)
  }
})
