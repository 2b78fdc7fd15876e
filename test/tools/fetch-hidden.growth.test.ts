import { textOfHtml } from '../../tools/fetch/page-text.ts'
import { expectLinear } from '../helpers/doubling.ts'

describe('leaving out hidden parts of a page takes time that grows as the page does', function () {
  this.timeout(300_000)

  for (const [name, part] of [
    [
      'deep elements and stray ends',
      (length: number) => '<b>'.repeat(length) + '</i>'.repeat(length),
    ],
    ['a long attribute', (length: number) => `<p style="${';a:b'.repeat(length)}">`],
    ['many attributes', (length: number) => `<p ${'a=b '.repeat(length)}>`],
  ] as const) {
    it(`of ${name}`, async () => {
      const make = (length: number) => {
        const page = `<div hidden>${part(length)}</div>${part(length)}yes`
        return () => textOfHtml(page)
      }
      await expectLinear({ name, sizes: [20_000, 40_000, 80_000], make })
    })
  }
})
