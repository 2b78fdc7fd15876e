import { expectLinear, type Subject, toldGrowth } from '../../helpers/doubling.ts'
import { IS_EXHAUSTIVE } from '../answers.ts'

/**
 * A test that work is linear; `TOLD=1` prints what was measured.
 * @param isSample whether it is tried each time, and not in the exhaustive tests alone
 */
export function itIsLinear(subject: Subject, isSample: boolean): void {
  if (!isSample && !IS_EXHAUSTIVE) return
  it(subject.name, async function () {
    this.timeout(300_000)
    const growth = await expectLinear(subject)
    if (process.env['TOLD']) process.stdout.write(`      ${toldGrowth(growth)}\n`)
  })
}
