import { agentsIn } from '../../../src/agent/specs/index.ts'
import { expectLinear, type Subject, toldGrowth } from '../../helpers/doubling.ts'

const texts: readonly (readonly [name: string, piece: string])[] = [
  ['comments', '<!-- -->'],
  ['comments without an end', '<!--'],
  ['lines', '---\n\n'],
  ['comments of YAML', '---\n# a\n'],
  ['blanks', ' \t'],
  ['blank lines', '\n'],
  ['fences', '```\n'],
]

const SUBJECTS: readonly Subject[] = texts.map(([name, piece]) => ({
  name: `a file of an agent with many ${name}`,
  make: (size: number) => {
    const text = piece.repeat(size).slice(0, 1 << 20)
    return () =>
      agentsIn([
        { path: 'agents/a.md', text: `x\n${text}` },
        { path: 'b.md', text },
      ])
  },
}))

describe('the growth of front matter', function () {
  this.timeout(300_000)
  for (const subject of SUBJECTS) {
    it(`is linear: ${subject.name}`, async function () {
      const { test } = this
      const growth = await expectLinear(subject)
      if (test) test.title += ` [${toldGrowth(growth)}]`
    })
  }
})
