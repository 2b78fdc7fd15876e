import { expect } from 'chai'
import { type CompactionFolder, compactionFolder } from './compaction-folder.ts'
import { compactionRound } from './compaction-round.ts'

/** One write in four is tried here; `npm run crash -- --only compactions` tries all. */
const STRIDE = 4

describe('a server that is killed behind a write of a conversation that is compacted', () => {
  let folder: CompactionFolder

  beforeEach(async () => {
    folder = await compactionFolder()
  })
  afterEach(() => folder.remove())

  it('CT-23 loses no message, leaves no marker without its archive, and asks as an uninterrupted one does', async () => {
    const { request, messages, faults } = await compactionRound(folder)
    expect(faults).to.deep.equal([])
    expect(request).to.have.length(4)
    expect(messages).to.have.length(10)
    let kills = 0
    for (let deadly = 2; ; deadly += STRIDE) {
      const round = await compactionRound(folder, deadly)
      expect(round, `behind write ${deadly}`).to.deep.include({ faults: [], request, messages })
      if (!round.isKilled) break
      kills++
    }
    expect(kills).to.be.at.least(4)
  }).timeout(60_000)
})
