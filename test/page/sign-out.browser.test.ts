import { expect } from 'chai'
import { tokenAuthenticator } from '../../src/server/index.ts'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { Browser, type Page, until } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { ready, said, send, settled, TEXT } from './writing.ts'

const ADA = 'ada-0123456789abcdef'
const BOB = 'bob-0123456789abcdef'
const SECRET = 'my salary is 1234'
const TOKENS = [
  { token: ADA, id: 'ada' },
  { token: BOB, id: 'bob' },
]

const SHOWN = `document.body.innerText + [...document.querySelectorAll('input, textarea')].map(({ value }) => value)`
const KEPT = 'JSON.stringify({ ...localStorage, ...sessionStorage })'
/** How many questions of who is signed in are answered. */
const ANSWERED =
  'performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/api/caller")).length'
/** Marks a page, until it is read anew. */
const MARK = 'document.documentElement.dataset.isOld = ""'

describe('the page that one person leaves to another', function () {
  this.timeout(60_000)
  let browser: Browser
  let served: ServedPage
  /** The token that the server does not know any more. */
  let ended: string | undefined
  /** Hold the answers to the next questions of who is signed in. */
  const held: Promise<void>[] = []

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    const authenticate = async (request: Request) => {
      if (request.url.endsWith('/api/caller')) await held.shift()
      return tokenAuthenticator(TOKENS.filter(({ token }) => token !== ended))(request)
    }
    served = await ServedPage.start({
      script: [{ then: { text: 'You said: {{user}}' } }],
      server: { authenticate },
    })
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await served?.close()
  })
  afterEach(() => {
    ended = undefined
    browser?.takeRefusals()
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  /** Opens the page for Ada, who has said something and writes more. */
  async function ofAda(): Promise<Page> {
    const page = await ready(await browser.open(`${served.url}#token=${ADA}`))
    await send(page, SECRET)
    await page.waitForSelector(said(`You said: ${SECRET}`))
    await settled(page)
    await page.fill(TEXT, `${SECRET}, but tell nobody`)
    await page.fill('.search', 'salary')
    await page.evaluate(MARK)
    return page
  }

  async function signIn(page: Page, token: string): Promise<void> {
    await page.fill('input[type=password]', token)
    await page.keyboard.press('Enter')
    await page.waitForSelector('.sign-in', { state: 'detached' })
  }

  async function readAnew(page: Page): Promise<void> {
    await page.waitForSelector('html:not([data-is-old])')
  }

  async function expectNothing(page: Page): Promise<void> {
    expect(await page.evaluate<string>(SHOWN)).to.not.include('salary')
    expect(await page.evaluate<string>(KEPT)).to.not.match(/salary|ada/)
  }

  it('shows and keeps nothing of who has signed out', async () => {
    const page = await ofAda()
    await page.click('.sign-out')
    await readAnew(page)
    await page.waitForSelector('input[type=password]')
    await expectNothing(page)
    expect(page.url()).to.equal(served.url)
    await signIn(page, BOB)
    await ready(page)
    await page.waitForSelector('.welcome')
    await expectNothing(page)
  })

  it('signs out in all tabs of the person, and in none of another', async () => {
    const page = await ofAda()
    const second = await ready(await browser.openBeside(page, `${page.url()}#token=${ADA}`))
    await second.waitForSelector(said(`You said: ${SECRET}`))
    expect(await second.inputValue(TEXT)).to.equal(`${SECRET}, but tell nobody`)
    const bobs = await ready(await browser.openBeside(page, `${served.url}#token=${BOB}`))
    await bobs.fill(TEXT, 'a word of Bob')
    await page.click('.sign-out')
    await second.waitForSelector('input[type=password]')
    await expectNothing(second)
    expect(await bobs.inputValue(TEXT)).to.equal('a word of Bob')
  })

  it('shows another person nothing where a token has ended, and the same one all', async () => {
    const page = await ofAda()
    const address = page.url()
    ended = ADA
    await page.focus(TEXT)
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=The server does not know this token.')
    await signIn(page, BOB)
    await readAnew(page)
    await ready(page)
    await page.waitForSelector('.welcome')
    expect(await page.evaluate<string>(SHOWN)).to.not.include('salary')
    ended = undefined
    await page.goto(`${address}#token=${ADA}`)
    await page.waitForSelector(said(`You said: ${SECRET}`))
    await until(page, `document.querySelector('${TEXT}').value.includes('tell nobody')`)
  })

  it('heeds the last token of the address, whichever the server answers first', async () => {
    const page = await ready(await browser.open(`${served.url}#token=${ADA}`))
    let release: () => void = () => undefined
    held.push(new Promise((resolve) => (release = resolve)))
    const before = await page.evaluate<number>(ANSWERED)
    await page.evaluate(`location.hash = 'token=${ADA}'`)
    await until(page, 'location.hash === ""')
    await page.evaluate(`location.hash = 'token=unknown-0123456789'`)
    await page.waitForSelector('text=The server does not know this token.')
    release()
    await until(page, `${ANSWERED} === ${before + 2}`)
    await page.evaluate(`fetch('/healthz').then((response) => response.text())`)
    await page.waitForSelector('text=The server does not know this token.')
  })

  it('takes a token from the address while it is open, and removes it from there', async () => {
    const page = await ready(await browser.open(`${served.url}#token=${ADA}`))
    await page.fill(TEXT, SECRET)
    await page.evaluate(`location.hash = 'token=${ADA}'`)
    await until(page, 'location.hash === ""')
    await page.evaluate(`location.hash = 'token=unknown-0123456789'`)
    await page.waitForSelector('text=The server does not know this token.')
    await signIn(page, ADA)
    expect(await page.inputValue(TEXT)).to.equal(SECRET)
    await page.waitForSelector('text=Signed in as ada')
    await page.evaluate(MARK)
    const asked = 'document.documentElement.dataset.asked'
    await page.evaluate(`confirm = (text) => void (${asked} = text)`)
    await page.evaluate(`location.hash = 'token=${BOB}'`)
    await until(page, `${asked}?.includes('ada') && ${asked}.includes('bob')`)
    expect(page.url()).to.equal(served.url)
    expect(await page.inputValue(TEXT)).to.equal(SECRET)
    expect(await page.evaluate<string>(KEPT))
      .to.include(ADA)
      .and.not.include(BOB)
    await page.evaluate('confirm = () => true')
    await page.evaluate(`location.hash = 'token=${BOB}'`)
    await readAnew(page)
    await ready(page)
    expect(page.url()).to.equal(served.url)
    expect(await page.inputValue(TEXT)).to.equal('')
  })
})
