import { expect } from 'chai'
import type { Row, SqlSession } from '../../src/store/sql/database.ts'
import { entriesOf } from '../../src/store/sql/read-entries.ts'

/** The entries that each statement for contents asks for, of entries with these sizes. */
async function statementsFor(sizes: readonly number[]): Promise<readonly number[][]> {
  const nodes: readonly Row[] = sizes.map((size, seq) => ({ id: `e${seq}`, seq, size }))
  const statements: number[][] = []
  const query = async (text: string, values: readonly unknown[] = []): Promise<readonly Row[]> => {
    if (!text.startsWith('SELECT *')) return nodes
    const [from = 0, to = 0] = values.slice(-2).map(Number)
    statements.push(Array.from({ length: to - from + 1 }, (_, at) => from + at))
    return []
  }
  const session = { query } as unknown as SqlSession
  await entriesOf({ session, place: ['ada', 'c'], assertThere: async () => undefined })
  return statements
}

describe('the statements that read the entries of a conversation', () => {
  it('read at most a hundred each', async () => {
    const statements = await statementsFor(Array.from({ length: 250 }, () => 10))
    expect(statements.map((rows) => rows.length)).to.deep.equal([100, 100, 50])
  })

  it('read at most 256 KiB each, or one entry that is larger', async () => {
    const KIB = 1024
    const sizes = [100, 100, 100, 300, 20, 200].map((size) => size * KIB)
    expect(await statementsFor(sizes)).to.deep.equal([[0, 1], [2], [3], [4, 5]])
  })
})
