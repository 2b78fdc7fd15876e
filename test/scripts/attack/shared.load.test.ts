import { join } from 'node:path'
import { expect } from 'chai'
import { type AttackReport, runAttacks } from '../../../scripts/attack/run-attacks.ts'
import { ROOT } from '../../helpers/source-files.ts'

const MEGABYTE = 1e6

/** The project itself, in its latest build. */
const BUILT = { folder: ROOT, command: join(ROOT, 'src/cli/dist/command/braidwork.js') }

/** A sample of what `npm run attack` does at length, with the project as it was last built. */
const ATTACKS = ['aborted streams', 'silent sockets']

describe('a server under attack', function () {
  this.timeout(120_000)
  let all: readonly AttackReport[]

  before(async () => {
    const { reports } = await runAttacks({
      installation: BUILT,
      plugins: ['@braidwork/provider-scripted'],
      attacks: ATTACKS.map((name) => ({ name, budget: 50_000 })),
      models: ['slow'],
      scale: 0.025,
      quiet: 100,
    })
    all = reports
  })

  for (const name of ATTACKS) {
    describe(`by ${name}`, () => {
      let report: AttackReport
      before(() => {
        report = all.find((one) => one.name === name) ?? expect.fail('Nothing was reported.')
      })

      it('answers, or refuses by name', () => {
        expect(report).to.include({ held: report.tried })
        expect(report.tried).to.be.at.least(50)
      })

      it('serves others meanwhile', () => {
        const { health, answers, faults } = report.seen
        expect(faults).to.deep.equal([])
        expect(health.count).to.be.at.least(1)
        expect(answers.count).to.be.at.least(1)
      })

      it('holds no more afterwards', () => {
        expect(report.after.held - report.before.held).to.be.below(10 * MEGABYTE)
      })
    })
  }
})
