import { expect } from 'chai'
import { tokenAuthenticator } from '../../src/server/index.ts'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { axeFindings, Browser, until } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { echoed, ready, said, send, TEXT } from './writing.ts'

const SCRIPT = [{ then: { text: 'You said: {{user}}' } }]
const TOKEN = 'ada-0123456789abcdef'
const PASTED = '.attached li:not(.uploading) >> text=Pasted text (20520 thousand characters)'
/** The tokens of a day come back over hours. */
const LIMITED =
  '.notice >> text=/^Too many requests. Try again in \\d+ (seconds|minutes|hours)\\.$/'
const NEXT_TOKEN = 'ada-fedcba9876543210'

/** A script that drops a text, and tells whether the page took it. */
function dropped(text: string, times: number, target = TEXT): string {
  return `(() => {
    const data = new DataTransfer()
    data.setData('text/plain', '${text}'.repeat(${times}))
    const drop = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data })
    return !document.querySelector('${target}').dispatchEvent(drop)
  })()`
}

describe('the page of a server that refuses', function () {
  this.timeout(60_000)
  let browser: Browser
  let served: ServedPage | undefined

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    browser = await Browser.launch()
  })
  after(() => browser?.close())
  afterEach(async () => {
    await served?.close()
    served = undefined
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  it('tells that there were too many requests, and keeps the text', async () => {
    const tokens = [{ token: TOKEN, id: 'ada', limits: { tokens_per_day: 1 } }]
    const server = { authenticate: tokenAuthenticator(tokens) }
    served = await ServedPage.start({ script: SCRIPT, server })
    const page = await ready(await browser.open(`${served.url}#token=${TOKEN}`))
    await echoed(page, 'hello')
    await send(page, 'and more')
    await page.waitForSelector(LIMITED)
    expect(browser.takeRefusals()).to.deep.equal(['429'])
    // It comes back once the page knows that the server does not have it.
    await until(page, `document.querySelector("${TEXT}").value === "and more"`)
    expect(await page.textContent('.messages')).to.not.include('and more')
    await page.click('[aria-label="Edit"]')
    await page.fill('.edited textarea', 'changed')
    await page.click('.edited button.main')
    await until(page, 'document.querySelector(".edited textarea")?.value === "changed"')
    await page.waitForSelector(LIMITED)
    expect(browser.takeRefusals()).to.deep.equal(['429'])
  })

  it('does not say of a list that failed to load that it is empty, and shows the models', async () => {
    const error = { code: 'TOO_MANY_REQUESTS', message: 'Too many.' }
    const front = ({ url }: Request) =>
      url.includes('/api/conversations?') ? Response.json({ error }, { status: 429 }) : undefined
    served = await ServedPage.start({ script: SCRIPT, front })
    const page = await ready(await browser.open(served.url))
    await page.waitForSelector('.notice >> text=Too many requests. Try again in a moment.')
    expect(await page.textContent('.list')).to.not.include('No conversations yet')
    expect(browser.takeRefusals()).to.deep.equal(['429'])
  })

  it('asks for a token that is known, and the chat goes on where it was', async () => {
    const token = { now: TOKEN }
    const authenticate = (request: Request) =>
      tokenAuthenticator([{ token: token.now, id: 'ada' }])(request)
    served = await ServedPage.start({ script: SCRIPT, server: { authenticate } })
    const page = await ready(await browser.open(`${served.url}#token=${TOKEN}`))
    await echoed(page, 'hello')
    token.now = NEXT_TOKEN
    await page.setInputFiles('input[type=file]', {
      name: 'a.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('a'),
    })
    await page.waitForSelector('text=The server does not know this token.')
    await page.fill('input[type=password]', NEXT_TOKEN)
    await page.keyboard.press('Enter')
    await page.waitForSelector(said('You said: hello'))
    token.now = TOKEN
    await send(page, 'my thought')
    await page.waitForSelector('text=The server does not know this token.')
    await page.fill('input[type=password]', TOKEN)
    await page.keyboard.press('Enter')
    await page.waitForSelector(said('You said: hello'))
    await until(page, `document.querySelector('${TEXT}')?.value === 'my thought'`)
    expect(new Set(browser.takeRefusals())).to.deep.equal(new Set(['401']))
    await page.focus(TEXT)
    await page.keyboard.press('Enter')
    await page.waitForSelector(said('You said: my thought'))
  })

  it('keeps what is being changed and filled in while it asks for a token', async () => {
    const token = { now: TOKEN }
    const authenticate = (request: Request) =>
      tokenAuthenticator([{ token: token.now, id: 'ada' }])(request)
    served = await ServedPage.start({ script: SCRIPT, server: { authenticate } })
    const page = await ready(await browser.open(`${served.url}#token=${TOKEN}`))
    await echoed(page, 'hello')
    await page.click('[aria-label="Edit"]')
    await page.fill('.edited textarea', 'good morning')
    token.now = NEXT_TOKEN
    await page.click('.edited button.main')
    await page.waitForSelector('text=The server does not know this token.')
    expect(await axeFindings(page)).to.deep.equal([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.fill('input[type=password]', NEXT_TOKEN)
    await page.keyboard.press('Enter')
    await page.waitForSelector('.sign-in', { state: 'detached' })
    expect(await page.inputValue('.edited textarea')).to.equal('good morning')

    await page.click('.bar [aria-label="Settings"]')
    await page.fill('#settings_top_p', '0.5')
    token.now = TOKEN
    await page.click('.rjsf button.main')
    await page.waitForSelector('text=The server does not know this token.')
    await page.fill('input[type=password]', TOKEN)
    await page.keyboard.press('Enter')
    await page.waitForSelector('.sign-in', { state: 'detached' })
    expect(await page.inputValue('#settings_top_p')).to.equal('0.5')
    await page.click('.rjsf button.main')
    await page.waitForSelector('[role="status"] >> text=Saved')
    expect(new Set(browser.takeRefusals())).to.deep.equal(new Set(['401']))
  })

  it('shows the conversation of its address once somebody has signed in', async () => {
    const tokens = [{ token: TOKEN, id: 'ada' }]
    served = await ServedPage.start({
      script: SCRIPT,
      server: { authenticate: tokenAuthenticator(tokens) },
    })
    const first = await ready(await browser.open(`${served.url}#token=${TOKEN}`))
    await send(first, 'hello')
    await first.waitForSelector(said('You said: hello'))
    const page = await browser.open(first.url())
    await page.fill('input[type=password]', TOKEN)
    await page.keyboard.press('Enter')
    await page.waitForSelector(said('You said: hello'))
    expect(new Set(browser.takeRefusals())).to.deep.equal(new Set(['401']))
  })

  it('names a file that is too large, and the limit', async () => {
    served = await ServedPage.start({ script: SCRIPT, server: { limits: { file: 10 } } })
    const page = await ready(await browser.open(served.url))
    const buffer = Buffer.from('more than ten bytes')
    const file = { name: 'notes.txt', mimeType: 'text/plain', buffer }
    await page.setInputFiles('input[type=file]', file)
    await page.waitForSelector('.notice >> text=The file “notes.txt” is too large for the server.')
    expect(await page.textContent('.notice')).to.include('at most 10 bytes')
    expect(browser.takeRefusals()).to.deep.equal(['413'])
  })

  it('takes 20 MB of pasted text, stays usable and keeps them when they are too large', async () => {
    served = await ServedPage.start({ script: SCRIPT })
    const page = await ready(await browser.open(served.url))
    await page.fill(TEXT, 'Look at this')
    await page.evaluate(`{
      const data = new DataTransfer()
      data.setData('text/plain', 'A line of a log that somebody pastes.\\n'.repeat(540_000))
      const given = { bubbles: true, cancelable: true, clipboardData: data }
      document.querySelector('${TEXT}').dispatchEvent(new ClipboardEvent('paste', given))
    }`)
    await page.waitForSelector(PASTED)
    await page.focus(TEXT)
    await page.keyboard.press('Enter')
    await page.waitForSelector('.notice >> text=This is too large for the server.')
    expect(browser.takeRefusals()).to.deep.equal(['413'])
    await page.waitForSelector(PASTED)
    expect(await page.inputValue(TEXT)).to.equal('Look at this')
    await page.click('[aria-label^="Remove Pasted text"]')
    await page.fill(TEXT, 'something short')
    await page.keyboard.press('Enter')
    await page.waitForSelector(said('You said: something short'))
  })

  for (const [place, target] of [
    ['into the box', TEXT],
    ['beside the box', '.composer'],
  ]) {
    it(`takes 20 MB of text that is dropped ${place} as if it were pasted`, async () => {
      served = await ServedPage.start({ script: SCRIPT })
      const page = await ready(await browser.open(served.url))
      await page.fill(TEXT, 'Look at this')
      await page.evaluate(dropped('A line of a log that somebody pastes.\\n', 540_000, target))
      await page.waitForSelector(PASTED)
      await page.focus(TEXT)
      await page.keyboard.press('Enter')
      await page.waitForSelector('.notice >> text=This is too large for the server.')
      expect(browser.takeRefusals()).to.deep.equal(['413'])
      await page.waitForSelector(PASTED)
      expect(await page.inputValue(TEXT)).to.equal('Look at this')
    })
  }

  it('takes a short text that is dropped beside the box, and leaves one in the box to the browser', async () => {
    served = await ServedPage.start({ script: SCRIPT })
    const page = await ready(await browser.open(served.url))
    await page.fill(TEXT, 'Look at ')
    expect(await page.evaluate(dropped('this', 1, '.composer'))).to.equal(true)
    await until(page, `document.querySelector('${TEXT}').value === 'Look at this'`)
    expect(await page.evaluate(dropped('this', 1, TEXT))).to.equal(false)
  })

  it('shows the beginning of a long text that was sent, and all of it on demand', async () => {
    served = await ServedPage.start({ script: [{ then: { text: 'I read it.' } }] })
    const page = await ready(await browser.open(served.url))
    await page.evaluate(`{
      const data = new DataTransfer()
      data.setData('text/plain', 'A line of a log.\\n'.repeat(15_000) + 'The end.')
      const given = { bubbles: true, cancelable: true, clipboardData: data }
      document.querySelector('${TEXT}').dispatchEvent(new ClipboardEvent('paste', given))
    }`)
    await page.focus(TEXT)
    await page.keyboard.press('Enter')
    await page.waitForSelector(said('I read it.'))
    expect(await page.textContent('.own .said')).to.not.include('The end.')
    await page.click('.own >> text=Show the whole text')
    await until(page, 'document.querySelector(".own .said").textContent.endsWith("The end.")')
  })
})
