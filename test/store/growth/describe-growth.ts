import { expectLinear, SIZES, toldGrowth } from '../../helpers/doubling.ts'
import { type Backend, begin } from '../backends.ts'
import { Filled } from './filled.ts'
import { type Measured, readings, subjects } from './subjects.ts'

/** Tests that what a backend does takes time that grows as it does. */
export function describeGrowth(backend: Backend): void {
  describe(`storage in ${backend.name}`, function () {
    this.timeout(180_000)
    const filled = new Filled(backend)
    before(async function () {
      await begin(backend, this)
    })
    after(async () => {
      await filled.close()
      await backend.end()
    })
    afterEach(() => filled.shutAll())

    const measure = ({ name, make, part = 1 }: Measured): void => {
      it(`takes time that grows as ${name} does`, async () => {
        const sizes = SIZES.map((size) => Math.ceil(size / part))
        const growth = await expectLinear({ name, sizes, make })
        process.stdout.write(`      ${backend.name}: ${toldGrowth(growth)}\n`)
      })
    }

    describe('of a long conversation', () => {
      after(() => filled.close())
      for (const reading of readings(filled)) measure(reading)
    })

    describe('of much else', () => {
      for (const subject of subjects(filled)) measure(subject)
    })
  })
}
