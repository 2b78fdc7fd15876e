import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { INSTALLED_WITHIN, PackedServer } from '../server/clients/packed-server.ts'
import { axeFindings, Browser, type Page } from './open-page.ts'
import { said, TEXT } from './writing.ts'

const asks = (input: object) => ({ tool_calls: [{ name: 'ask_user', input }] })
const LINES = Array.from({ length: 100 }, (_, at) => `line ${at}`).join(', ')

const runs = (agent: string) => ({
  tool_calls: [{ name: `agent_run_${agent}`, input: { prompt: 'choose' } }],
})
const sum = { tool_calls: [{ name: 'calculate', input: { expression: '12 * 34' } }] }

/** The rules of an agent of its own. */
const ruled = (...script: readonly object[]) => ({
  settings: { scripted: { script, delay_ms: 0 } },
})

const AGENTS = {
  boss: {
    delegates: ['chooser', 'clerk'],
    config: ruled(
      { when: { step: 1 }, then: runs('chooser') },
      { when: { step: 2 }, then: runs('clerk') },
      { then: { text: 'They said {{result.agent_run_chooser}} {{result.agent_run_clerk}}' } },
    ),
  },
  chooser: { allowed_tools: ['ask_user'] },
  clerk: {
    config: {
      ...ruled({ when: { step: 1 }, then: sum }, { then: { text: 'It is {{result.calculate}}.' } }),
      tool_policy: { calculate: 'ask' },
    },
  },
}

const SCRIPT = [
  { when: { tool: 'ask_user' }, then: { text: 'You chose {{result.ask_user}}.' } },
  { when: { text: 'choose' }, then: asks({ question: 'Which color?', options: ['Red', 'Blue'] }) },
  { when: { text: 'name' }, then: asks({ question: 'Which name?' }) },
  { when: { text: 'count' }, then: { text: LINES, chunks: 6 } },
  { then: { text: 'You said: {{user}}' } },
]

const CONFIG = {
  plugins: [
    '@braidwork/provider-scripted',
    '@braidwork/tool-ask-user',
    '@braidwork/tool-calculator',
  ],
  agents: AGENTS,
  enabled_plugins: ['ask-user'],
  provider: 'scripted',
  settings: { scripted: { script: SCRIPT, delay_ms: 15 } },
}

describe('a page that is asked and interrupted', function () {
  this.timeout(60_000)
  let server: PackedServer
  let browser: Browser

  before(async function () {
    this.timeout(INSTALLED_WITHIN)
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    server = await PackedServer.start(CONFIG)
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })
  afterEach(() => {
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  async function ask(text: string, agent?: string): Promise<Page> {
    const page = await browser.open(server.url)
    await page.waitForSelector('option', { state: 'attached' })
    if (agent !== undefined) await page.selectOption('.agent', agent)
    await page.fill(TEXT, text)
    await page.keyboard.press('Enter')
    return page
  }

  it('answers a question by one of its options, also after a reload', async () => {
    const page = await ask('choose')
    await page.waitForSelector('.asked >> text=Which color?')
    expect(await axeFindings(page)).to.deep.equal([])
    await page.reload()
    await page.click('.asked button:text-is("Blue")')
    await page.waitForSelector(said('You chose'))
    expect(await page.textContent('.messages')).to.include('Blue')
  })

  it('answers a question in words', async () => {
    const page = await ask('name')
    await page.fill('.asked input', 'Emma')
    await page.keyboard.press('Enter')
    await page.waitForSelector(said('You chose'))
    expect(await page.textContent('.messages')).to.include('Emma')
  })

  it('answers what delegates ask as what the agent itself asks', async () => {
    const page = await ask('go', 'boss')
    await page.waitForSelector('.asked >> text=Which color?')
    await page.click('.asked button:text-is("Blue")')
    await page.waitForSelector('.asked legend >> text=May calculate run for the agent clerk?')
    expect(await page.textContent('.asked .value pre')).to.equal('{\n  "expression": "12 * 34"\n}')
    expect(await axeFindings(page)).to.deep.equal([])
    await page.click('.asked button:text-is("Allow")')
    await page.waitForSelector(said('They said'))
    expect(await page.textContent('.messages'))
      .to.include('Blue')
      .and.include('408')
  })

  it('says something to an answer that comes, which is answered too', async () => {
    const page = await ask('count')
    await page.waitForSelector(said('line 3'))
    await page.fill(TEXT, 'and this')
    await page.keyboard.press('Enter')
    await page.waitForSelector(said('You said: and this'))
    expect(await page.inputValue(TEXT)).to.equal('')
  })

  it('takes files that are pasted and dropped', async () => {
    const page = await browser.open(server.url)
    await page.waitForSelector('option', { state: 'attached' })
    for (const [type, target, name] of [
      ['paste', TEXT, 'pasted.txt'],
      ['drop', '.composer', 'dropped.txt'],
      ['drop', '.thread', 'elsewhere.txt'],
    ]) {
      await page.evaluate(`{
        const data = new DataTransfer()
        data.items.add(new File(['a'], '${name}', { type: 'text/plain' }))
        const given = { bubbles: true, cancelable: true, clipboardData: data, dataTransfer: data }
        const Made = '${type}' === 'paste' ? ClipboardEvent : DragEvent
        document.querySelector('${target}').dispatchEvent(new Made('${type}', given))
      }`)
      await page.waitForSelector(`.attached li:not(.uploading) >> text=${name}`)
    }
  })
})
