import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { sampledByCommit } from '../helpers/cases.ts'
import { follow } from '../helpers/guide.ts'
import { needsPeer } from '../helpers/peer-scripts.ts'
import { ROOT } from '../helpers/source-files.ts'

describe('the guide to models for the AI SDK', function () {
  this.timeout(120_000)

  // The versions themselves are tried whole in test/ai-sdk.
  for (const sdk of sampledByCommit([5, 6, 7] as const, 3)) {
    it(`has a program that compiles, and prints what it says, with version ${sdk}`, async function () {
      needsPeer(this, `ai-${sdk}`)
      const text = await readFile(join(ROOT, 'docs/ai-sdk.md'), 'utf8')
      const ran = await follow(forVersion(text, sdk), { ai: `test/peers/node_modules/ai-${sdk}` })
      for (const { command, printed, said } of ran) expect(printed, command).to.equal(said)
      expect(ran.map(({ command }) => command)).to.deep.equal(['tsc', 'node model.ts'])
    })
  }
})

/** The guide as a reader with an older version follows it. */
function forVersion(text: string, sdk: 5 | 6 | 7): string {
  if (sdk === 7) return text
  return text
    .replaceAll('isStepCount', 'stepCountIs')
    .replace('asLanguageModel(opened)\n', `asLanguageModel(opened, { sdk: ${sdk} })\n`)
}
