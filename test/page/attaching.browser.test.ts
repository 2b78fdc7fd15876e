import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { Browser, type Page, until } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { ready, said, send, settled, TEXT } from './writing.ts'

const NAMES = ['Makefile', '.gitignore', 'a.kt', 'a.parquet']
const ATTACHED = `[...document.querySelectorAll('.attached li')].map((one) => one.textContent)`
const NOTICES = `document.querySelectorAll('.notice').length`

describe('files that a person attaches', function () {
  this.timeout(60_000)
  let browser: Browser
  let served: ServedPage

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    const script = [{ then: { text: 'You said: {{user}}' } }]
    served = await ServedPage.start({ script, server: { limits: { file: 10 } } })
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await served?.close()
  })
  afterEach(() => {
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  async function attach(page: Page, names: readonly string[], text = 'all:'): Promise<void> {
    const files = names.map((name) => ({ name, mimeType: '', buffer: Buffer.from(text) }))
    await page.setInputFiles('input[type=file]', files)
  }

  it('may be of any kind, also of one that the browser does not know', async () => {
    const page = await ready(await browser.open(served.url))
    await attach(page, NAMES)
    await until(page, `JSON.stringify(${ATTACHED}) === '${JSON.stringify(NAMES)}'`)
    await send(page, 'look')
    await page.waitForSelector(said('You said: look'))
    expect(await page.evaluate(NOTICES)).to.equal(0)
  })

  it('are all told that are refused, until others are taken', async () => {
    const page = await ready(await browser.open(served.url))
    await attach(page, ['one.txt', 'two.txt'], 'more than ten bytes')
    for (const name of ['one.txt', 'two.txt']) {
      await page.waitForSelector(`.notice >> text=The file “${name}” is too large`)
    }
    expect(browser.takeRefusals()).to.deep.equal(['413', '413'])
    await attach(page, ['three.txt'])
    await page.waitForSelector('.attached li:not(.uploading) >> text=three.txt')
    expect(await page.evaluate(NOTICES)).to.equal(0)
  })

  it('are told in the words of the person where they are too large, or gone', async () => {
    const page = await ready(await browser.open(served.url, { locale: 'de-DE' }))
    await attach(page, ['one.txt'], 'more than ten bytes')
    const large = 'Die Datei „one.txt“ ist zu groß für den Server. Er nimmt höchstens 10 Bytes.'
    await page.waitForSelector(`.notice >> text=${large}`)
    expect(browser.takeRefusals()).to.deep.equal(['413'])
    const folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    const path = join(folder, 'gone.txt')
    await writeFile(path, 'here')
    await page.evaluate(`addEventListener('change', ({ target }) => {
      window.chosen ??= [...target.files]
    }, true)`)
    await page.setInputFiles('input[type=file]', path)
    await page.waitForSelector('.attached li:not(.uploading) >> text=gone.txt')
    await rm(folder, { recursive: true })
    await page.evaluate(`(() => {
      const dropped = new DataTransfer()
      for (const file of window.chosen) dropped.items.add(file)
      const [field] = document.querySelectorAll('input[type=file]')
      field.files = dropped.files
      field.dispatchEvent(new Event('change', { bubbles: true }))
    })()`)
    await page.waitForSelector('.notice >> text=Die Datei „gone.txt“ ließ sich nicht lesen.')
    browser.faults.splice(0)
  })

  it('stay with the text over a reload and a change of the chat, until they are sent', async () => {
    const page = await ready(await browser.open(served.url))
    await attach(page, ['Makefile'])
    await page.waitForSelector('.attached li:not(.uploading) >> text=Makefile')
    await page.fill(TEXT, 'look')
    await page.reload()
    await page.waitForSelector('.attached li:not(.uploading) >> text=Makefile')
    const address = page.url()
    await page.click('.new')
    await page.waitForSelector('.attached', { state: 'detached' })
    await page.goto(address)
    await page.waitForSelector('.attached li:not(.uploading) >> text=Makefile')
    expect(await page.inputValue(TEXT)).to.equal('look')
    await page.focus(TEXT)
    await page.keyboard.press('Enter')
    await page.waitForSelector(said('You said: look'))
    await settled(page)
    await page.reload()
    await page.waitForSelector('.message.own >> text=Makefile')
    expect(await page.evaluate(ATTACHED)).to.deep.equal([])
  })

  it('name a chat that begins with nothing but them, also before they are sent', async () => {
    const page = await ready(await browser.open(served.url))
    await attach(page, ['a.kt'])
    await page.waitForSelector('.attached li:not(.uploading) >> text=a.kt')
    await page.reload()
    await page.waitForSelector('.chat-row.open >> text=a.kt')
    await page.waitForSelector('.attached li:not(.uploading) >> text=a.kt')
    await page.click('.composer button[type=submit]')
    await page.waitForSelector('.message.own >> text=a.kt')
    await settled(page)
    await page.reload()
    await page.waitForSelector('.chat-row.open >> text=a.kt')
  })

  it('leave no chat without anything in the list', async () => {
    const page = await ready(await browser.open(served.url))
    await attach(page, ['b.kt'])
    await page.waitForSelector('.attached li:not(.uploading) >> text=b.kt')
    await page.reload()
    await page.waitForSelector('.chat-row.open >> text=b.kt')
    await page.click('.attached button')
    await page.waitForSelector('.attached', { state: 'detached' })
    await page.click('.new')
    await page.waitForSelector('.chat-row.open', { state: 'detached' })
    expect(await page.textContent('.list')).to.not.match(/b\.kt|Untitled/)
  })
})
