import { expect } from 'chai'
import { type Page, until } from './open-page.ts'
import { PageSuite } from './page-suite.ts'
import { echoed, ready, said, settled, TEXT } from './writing.ts'

const TYPED = 'half a thought'
const isThere = `document.querySelector('${TEXT}')?.value === '${TYPED}'`
const isEmpty = `document.querySelector('${TEXT}')?.value === ''`

describe('the draft of a new chat', function () {
  this.timeout(60_000)
  const script = [{ then: { text: 'You said: {{user}}' } }]
  const suite = new PageSuite({ script, server: { settable: ['/temperature'] } })

  /** A page with one conversation, and a new chat in which something was typed. */
  async function typed(): Promise<Page> {
    const page = await ready(await suite.browser.open(suite.served.url))
    await echoed(page, 'hello')
    await page.click('.new')
    await page.waitForSelector('.welcome')
    await page.fill(TEXT, TYPED)
    return page
  }

  const keptNames = (page: Page) =>
    page.evaluate<readonly string[]>(
      'Object.keys(localStorage).filter((name) => name.includes(".draft."))',
    )

  it('stays over a reload', async () => {
    const page = await typed()
    await page.reload()
    await until(page, isThere)
  })

  it('stays while another chat is shown, which does not get it', async () => {
    const page = await typed()
    await page.evaluate('history.back()')
    await page.waitForSelector(said('You said: hello'))
    await until(page, isEmpty)
    await page.click('.new')
    await until(page, isThere)
    expect(await keptNames(page)).to.have.length(1)
  })

  it('belongs to its conversation as soon as there is one', async () => {
    const page = await typed()
    await page.click('.bar [aria-label="Settings"]')
    await page.fill('#settings_temperature', '0.5')
    await page.click('.rjsf button.main')
    await page.waitForSelector('[role="status"] >> text=Saved')
    await page.keyboard.press('Escape')
    await page.click('.new')
    await until(page, isEmpty)
    await page.evaluate('history.back()')
    await until(page, isThere)
  })

  it('is in the list as soon as a file is attached to it', async () => {
    const page = await typed()
    const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes.') }
    await page.setInputFiles('input[type="file"]', file)
    await page.waitForSelector('.chat-row.open .title')
    await page.click('.new')
    await until(page, isEmpty)
    await page.click(`.chat-row .title:has-text("${TYPED}")`)
    await until(page, isThere)
    await page.waitForSelector('.attached >> text=notes.txt')
  })

  it('is gone when it was sent', async () => {
    const page = await typed()
    await page.focus(TEXT)
    await page.keyboard.press('Enter')
    await page.waitForSelector(said(`You said: ${TYPED}`))
    await settled(page)
    await page.click('.new')
    await until(page, isEmpty)
    expect(await keptNames(page)).to.deep.equal([])
  })
})
