import { expect } from 'chai'
import { ofCommit } from '../../helpers/cases.ts'
import { type TreeFolder, treeFolder } from './tree-folder.ts'
import { treeRound } from './tree-round.ts'

describe('a server that is killed while trees of runs work', () => {
  let folder: TreeFolder

  before(async () => {
    folder = await treeFolder()
  })
  after(() => folder.remove())

  for (const frames of ofCommit([5, 60, 150, 250], 2)) {
    it(`LT-10 takes up each of them when it serves again, killed after ${frames} frames`, async () => {
      const { faults, lost, doubled, runs } = await treeRound(folder, { trees: 3, frames })
      expect({ faults, lost, doubled }).to.deep.equal({ faults: [], lost: 0, doubled: 0 })
      if (frames >= 60) expect(runs).to.equal(18)
    }).timeout(60_000)
  }
})
