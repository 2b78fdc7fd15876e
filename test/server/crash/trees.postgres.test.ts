import { expect } from 'chai'
import { PostgresServer } from '../../helpers/postgres.ts'
import { treeFolder } from './tree-folder.ts'
import { treeRound } from './tree-round.ts'

describe('a server on a PostgreSQL that is killed while trees of runs work', () => {
  let postgres: PostgresServer | undefined

  before(async function () {
    const reason = PostgresServer.missing()
    if (reason !== undefined) {
      process.stderr.write(`trees on a PostgreSQL: skipped, ${reason}\n`)
      this.skip()
    }
    postgres = await PostgresServer.start()
  })
  after(() => postgres?.close())

  it('LT-10 takes up each of them when it serves again', async () => {
    const folder = await treeFolder(postgres?.createDatabase())
    for (const frames of [60, 180]) {
      const { faults, lost, doubled, left } = await treeRound(folder, { trees: 3, frames })
      expect({ faults, lost, doubled }).to.deep.equal({ faults: [], lost: 0, doubled: 0 })
      if (frames === 60) expect(left).to.equal(3)
    }
    await folder.remove()
  }).timeout(60_000)
})
