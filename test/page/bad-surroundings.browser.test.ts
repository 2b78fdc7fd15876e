import { expect } from 'chai'
import type { Feature } from '../../src/plugin/index.ts'
import { tokenAuthenticator } from '../../src/server/index.ts'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { Browser, type Page } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { echoed, ready, said, send, settled, TEXT } from './writing.ts'

const SCRIPT = [
  { when: { text: 'time' }, then: { tool_calls: [{ name: 'current_time', input: {} }] } },
  { then: { text: 'You said: {{user}}' } },
]
const TOKEN = 'ada-0123456789abcdef'
const NO_STORAGE = `for (const name of ['localStorage', 'sessionStorage']) {
  Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError') } })
}`
const MUTE_STORAGE = `for (const name of ['getItem', 'setItem', 'removeItem']) {
  Storage.prototype[name] = () => { throw new DOMException('denied', 'SecurityError') }
}`
/** A clock that is an hour late. */
const LATE = `{
  const now = Date.now.bind(Date)
  Date.now = () => now() - 3_600_000
  globalThis.Date = new Proxy(Date, {
    construct: (Made, given) => given.length > 0 ? new Made(...given) : new Made(Date.now()),
  })
}`

describe('the page in bad surroundings', function () {
  this.timeout(60_000)
  let browser: Browser
  let served: ServedPage | undefined
  /** Lets what is held up go on. */
  let release = (): void => undefined

  /** Until the test is over. */
  const held = (): Promise<void> =>
    new Promise((done) => {
      release = done
    })

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    browser = await Browser.launch()
  })
  after(() => browser?.close())
  afterEach(async () => {
    release()
    await served?.close()
    served = undefined
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  for (const [name, init] of [
    ['forbids storage', NO_STORAGE],
    ['has a storage that refuses', MUTE_STORAGE],
  ] as const) {
    it(`signs in and chats where the browser ${name}`, async () => {
      const authenticate = tokenAuthenticator([{ token: TOKEN, id: 'ada' }])
      served = await ServedPage.start({ script: SCRIPT, server: { authenticate } })
      const page = await browser.open(served.url, { init })
      await page.fill('input[type=password]', TOKEN)
      await page.keyboard.press('Enter')
      await ready(page)
      expect(new Set(browser.takeRefusals())).to.deep.equal(new Set(['401']))
      await echoed(page, 'hello')
      await page.fill(TEXT, 'half a thought')
      await page.click('.new')
      await page.waitForSelector('.welcome')
      await page.click('.chat-row .title')
      await page.waitForSelector(said('You said: hello'))
      expect(await page.inputValue(TEXT)).to.equal('half a thought')
    })
  }

  it('speaks English where the words of another language cannot be loaded', async () => {
    const isWords = (url: string) => /\/de-[^/]*\.js$/.test(url)
    const front = ({ url }: Request) =>
      isWords(url) ? new Response('', { status: 503 }) : undefined
    served = await ServedPage.start({ script: SCRIPT, front })
    const page = await browser.open(served.url, { locale: 'de-DE' })
    await page.waitForSelector('text=New chat')
    expect(browser.takeRefusals()).to.deep.equal(['503'])
  })

  it('shows how long all took where the clock is an hour late', async () => {
    served = await ServedPage.start({ script: SCRIPT })
    const page = await ready(await browser.open(served.url, { init: LATE }))
    expect(await page.evaluate<number>('Date.now()')).to.be.below(Date.now() - 3_000_000)
    await echoed(page, 'time')
    await page.click('.tool summary')
    await page.waitForSelector('.call-fact >> text=Took')
    expect(await page.textContent('.call-fact + .call-fact')).to.match(/^Took \d+ ms$/)
    await page.click('[aria-label="What was sent, and when"]')
    await page.click('[role=tab]:has-text("Time line")')
    await page.waitForSelector('.time-run')
    expect(await page.textContent('.time-run .time-length')).to.match(/^(\d+ ms|\d\.\d s)$/)
    await page.click('.time-run')
    const event = await page.textContent('.time-facts pre')
    const { at = 0 } = JSON.parse(event ?? '') as { readonly at?: number }
    expect(at).to.be.within(Date.now() - 60_000, Date.now())
  })

  /** Sends something, and waits until the page shows that it waits. */
  async function waits(page: Page): Promise<void> {
    await send(page, 'hello')
    await page.waitForSelector('.waiting >> text=The answer is coming')
    await page.waitForSelector('.composer [aria-label="Stop"]')
  }

  it('sends a message when its files have reached a slow server, and not before', async () => {
    let arrive = () => {}
    const arrived = new Promise<undefined>((done) => (arrive = () => done(undefined)))
    const front = ({ url }: Request) => (url.includes('/files?') ? arrived : undefined)
    served = await ServedPage.start({ script: SCRIPT, front })
    const page = await ready(await browser.open(served.url))
    const buffer = Buffer.from('a')
    await page.setInputFiles('input[type=file]', { name: 'a.txt', mimeType: 'text/plain', buffer })
    await page.waitForSelector('.attached >> text=Uploading a.txt…')
    await page.fill(TEXT, 'see')
    await page.keyboard.press('Enter')
    expect(await page.inputValue(TEXT)).to.equal('see')
    arrive()
    await page.waitForSelector('.attached li:not(.uploading) >> text=a.txt')
    await page.focus(TEXT)
    await page.keyboard.press('Enter')
    await page.waitForSelector('.own .file >> text=a.txt')
    await page.waitForSelector(said('You said: see'))
  })

  it('waits for a model whose first word does not come', async () => {
    const slow: Feature = {
      kind: 'feature',
      name: 'slow',
      async editMessages(messages) {
        await held()
        return messages
      },
    }
    served = await ServedPage.start({ script: SCRIPT, plugins: [slow] })
    const page = await ready(await browser.open(served.url))
    await waits(page)
    await page.click('[aria-label="Stop"]')
    await settled(page)
    expect(await page.textContent('.messages')).to.not.include('You said')
    expect(await page.textContent('.own')).to.include('hello')
    expect(await page.inputValue(TEXT)).to.equal('')
    await page.waitForSelector('.notice', { state: 'detached' })
  })

  it('waits for a server that does not answer, and stops before it does', async () => {
    const front = async ({ method, url }: Request) => {
      const isTurn = method === 'POST' && new URL(url).pathname === '/api/chat'
      if (isTurn) await held()
      return undefined
    }
    served = await ServedPage.start({ script: SCRIPT, front })
    const page = await ready(await browser.open(served.url))
    await waits(page)
    const looked = page.waitForEvent('console')
    await page.click('[aria-label="Stop"]')
    await looked
    await settled(page)
    expect(await page.inputValue(TEXT)).to.equal('hello')
    expect(browser.takeRefusals()).to.deep.equal(['404'])
  })
})
