import { expect } from 'chai'
import { HAS_ALL_CASES, turnOfCommit } from '../../helpers/cases.ts'
import { type CompactionFolder, compactionFolder } from './compaction-folder.ts'
import { compactionRound } from './compaction-round.ts'

/** One write in so many is tried here, others for each commit; `npm run crash -- --only compactions` tries all too. */
const STRIDE = HAS_ALL_CASES ? 1 : 8
const FIRST = 1 + turnOfCommit(STRIDE)

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
    for (let deadly = FIRST; ; deadly += STRIDE) {
      const round = await compactionRound(folder, deadly)
      expect(round, `behind write ${deadly}`).to.deep.include({ faults: [], request, messages })
      if (!round.isKilled) break
      kills++
    }
    expect(kills).to.be.at.least(2)
  }).timeout(HAS_ALL_CASES ? 900_000 : 180_000)
})
