import { expect } from 'chai'
import { expectLinear } from './doubling.ts'
import { describePythonTests } from './python.ts'

const SIZES = [2000, 4000, 8000, 16_000]

/** So many steps, as the square of the size. */
function square(size: number): number {
  let sum = 0
  for (let step = 0; step < size * size; step++) sum += step % 7
  return sum
}

describePythonTests('a measure of growth in Python', 'test/helpers')

describe('a measure of growth', () => {
  it('refuses work that takes the square of its size', async () => {
    const subject = { name: 'a square', sizes: SIZES, make: (size: number) => () => square(size) }
    const error: unknown = await expectLinear(subject).catch((thrown: unknown) => thrown)
    expect(String(error)).to.match(/"a square" is not linear: 2000: .*×[3-9]\.\d\)/)
  }).timeout(300_000)
})
