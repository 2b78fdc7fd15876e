import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { Browser, type Page } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { ready, send, settled } from './writing.ts'

const TEXTS = {
  'table.csv': ['text/csv', 'a,b\n1,2\n'],
  'page.html': ['text/html', '<script>document.title = "run"</script>'],
  'drawing.svg': ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  'größe.txt': ['text/plain', 'schöne Größe'],
} as const

const files = Object.entries(TEXTS).map(([name, [media_type, text]]) => ({
  media_type,
  name,
  data: Buffer.from(text).toString('base64'),
}))
const UNNAMED = { media_type: 'audio/wav', data: Buffer.from('RIFF').toString('base64') }

describe('the files of an answer', function () {
  this.timeout(60_000)
  let browser: Browser
  let served: ServedPage

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    const then = { text: 'Here they are.', files: [...files, UNNAMED] }
    served = await ServedPage.start({ script: [{ then }] })
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await served?.close()
    expect(browser?.faults ?? []).to.deep.equal([])
  })

  async function saved(page: Page, name: string): Promise<string> {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click(`.message button.file:text-is("${name}")`),
    ])
    return readFileSync(await download.path(), 'utf8')
  }

  async function expectAll(page: Page): Promise<void> {
    for (const [name, [, text]] of Object.entries(TEXTS)) {
      expect(await saved(page, name)).to.equal(text)
    }
    expect(await saved(page, 'audio/wav')).to.equal('RIFF')
    expect(await page.evaluate('document.title')).to.not.equal('run')
  }

  it('can be saved by their names and are not opened, also after a reload', async () => {
    const page = await ready(await browser.open(served.url))
    await send(page, 'files')
    await page.waitForSelector('.message button.file')
    await settled(page)
    await expectAll(page)
    await page.reload()
    await page.waitForSelector('.message button.file')
    await expectAll(page)
  })
})
