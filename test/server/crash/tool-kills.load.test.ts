import { expect } from 'chai'
import { shareOfCommit } from '../../helpers/cases.ts'
import { type ToolFolder, toolFolder } from './tool-folder.ts'
import { toolRound } from './tool-round.ts'

/** After how many frames the server is killed. */
const FRAMES = [40, 120, 240, 360]
const WAYS = ['end', 'resume'] as const

describe('a server that is killed while its tools write', () => {
  let folder: ToolFolder

  beforeEach(async () => {
    folder = await toolFolder()
  })
  afterEach(() => folder.remove())

  for (const [at, onInterrupt] of WAYS.entries()) {
    it(`LT-10 has a record of every line, runs no call twice, and shows each in the next request: ${onInterrupt}`, async () => {
      let lines = 0
      for (const frames of shareOfCommit(FRAMES, WAYS.length, at)) {
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
    }).timeout(180_000)
  }
})
