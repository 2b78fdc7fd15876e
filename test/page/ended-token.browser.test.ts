import { memoryStorage } from '@braidwork/agent'
import { expect } from 'chai'
import { issueToken } from '../../src/server/access/index.ts'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { Browser, type Page } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { ready, said, send, settled, TEXT } from './writing.ts'

const WORDS = Array.from({ length: 200 }, (_, at) => `word${at}`).join(' ')

describe('the page of a person whose token is revoked while an answer comes', function () {
  this.timeout(60_000)
  const storage = memoryStorage()
  let served: ServedPage
  let browser: Browser
  let page: Page

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    const script = [{ then: { text: WORDS } }]
    served = await ServedPage.start({ script, delay: 50, server: { storage, storedTokens: true } })
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await served?.close()
  })

  async function issue(): Promise<{ readonly id: string; readonly secret: string }> {
    const { secret, token } = issueToken({ id: 'eva' }, Date.now())
    await storage.tokens.create(token)
    return { id: token.id, secret }
  }

  /** Asks, writes a draft, and ends the token. */
  async function cut(draft: string): Promise<void> {
    const { id, secret } = await issue()
    page = await ready(await browser.open(`${served.url}#token=${secret}`))
    await send(page, 'tell me')
    await page.waitForSelector(said('word5'))
    await page.fill(TEXT, draft)
    await storage.tokens.revoke(id, Date.now())
    await page.waitForSelector('input[type=password]')
  }

  async function signIn(): Promise<void> {
    await page.fill('input[type=password]', (await issue()).secret)
    await page.keyboard.press('Enter')
    await page.waitForSelector('input[type=password]', { state: 'detached' })
    await page.waitForSelector('text=This answer was stopped.')
    await settled(page)
  }

  const written = () => page.evaluate(`document.querySelector(${JSON.stringify(TEXT)}).value`)
  const shown = () => page.evaluate('document.querySelectorAll(".message").length')

  it('keeps the draft alone, and shows the stopped answer to one who signs in again', async () => {
    await cut('a draft')
    await signIn()
    expect(await written()).to.equal('a draft')
    expect(await shown()).to.equal(2)
  })

  it('puts nothing into the empty box: the question was taken', async () => {
    await cut('')
    await signIn()
    expect(await written()).to.equal('')
    expect(await shown()).to.equal(2)
  })
})
