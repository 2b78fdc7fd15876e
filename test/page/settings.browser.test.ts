import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/filling-in.ts'
import { PackedServer } from '../server/clients/packed-server.ts'
import { axeFindings, Browser, type Page, until } from './open-page.ts'
import { said, send, settled } from './writing.ts'

const CONFIG = {
  plugins: ['@braidwork/provider-scripted', '@braidwork/tool-clock', '@braidwork/tool-calculator'],
  disabled_plugins: ['clock'],
  provider: 'scripted',
  settings: {
    scripted: {
      script: [
        {
          when: { tool: 'agent_run_counter' },
          then: { text: 'The counter said {{result.agent_run_counter}}.' },
        },
        {
          when: { text: 'count for me' },
          then: { tool_calls: [{ name: 'agent_run_counter', input: { prompt: 'twelve' } }] },
        },
        { when: { text: 'twelve' }, then: { text: 'One to twelve.' } },
        { then: { text: 'You said: {{user}}' } },
      ],
    },
  },
  agents: {
    asker: { delegates: ['counter'] },
    counter: { description: 'Counts.', system_prompt: 'Count.' },
  },
  server: { settable: ['/switches/clock', '/settings/clock'] },
}

describe('settings and agents on the page', function () {
  this.timeout(60_000)
  let server: PackedServer
  let browser: Browser

  before(async function () {
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

  async function open(agent?: string): Promise<Page> {
    const page = await browser.open(server.url)
    await page.waitForSelector('option', { state: 'attached' })
    if (agent !== undefined) await page.selectOption('.agent', agent)
    return page
  }

  async function ask(page: Page, text: string): Promise<void> {
    await send(page, text)
    await settled(page)
  }

  it('are set for one chat, and no other', async () => {
    const page = await open()
    await page.click('.bar [aria-label="Settings"]')
    await page.waitForSelector('.rjsf input')
    expect(await axeFindings(page)).to.deep.equal([])
    await page.fill('#settings_max_output_tokens', '1')
    await page.click('.rjsf button.main')
    await page.waitForSelector('[role="status"] >> text=Saved')
    await page.keyboard.press('Escape')
    await ask(page, 'several words')
    const capped = await page.textContent('.message:not(.own)')
    expect(capped).to.not.include('several words')
    await page.click('.new')
    await ask(page, 'several words')
    await page.waitForSelector(said('You said: several words'))
  })

  it('are forgotten for one chat, and those of all chats stay', async () => {
    const page = await open()
    await page.click('.bar [aria-label="Settings"]')
    await page.click('[role="tab"]:text-is("All my chats")')
    await page.fill('#settings_seed', '7')
    await page.click('.rjsf button.main')
    await page.waitForSelector('[role="status"] >> text=Saved')
    await page.click('[role="tab"]:text-is("This chat")')
    await page.fill('#settings_seed', '8')
    await page.click('.rjsf button.main')
    await page.waitForSelector('[role="status"] >> text=Saved')
    await page.click('.rjsf button:text-is("Forget these settings")')
    await until(page, 'document.querySelector("#settings_seed")?.value === "7"')
  })

  it('get further fields when a plugin is switched on, before anything is stored', async () => {
    const page = await open()
    await page.click('.bar [aria-label="Settings"]')
    await page.waitForSelector('.rjsf input')
    await page.click('.rjsf label:has-text("Clock")')
    await page.waitForSelector('#settings_settings_clock_time_zone')
    await page.fill('#settings_top_p', '5')
    await page.click('.rjsf button.main')
    await page.waitForSelector('.form-group:has(#settings_top_p) .error-detail')
    await page.fill('#settings_top_p', '0.5')
    await page.fill('#settings_settings_clock_time_zone', 'Europe/Berlin')
    await page.click('.rjsf button.main')
    await page.waitForSelector('[role="status"] >> text=Saved')
  })

  it('turn a plugin on from the drawer that says why it is off', async () => {
    const page = await open()
    await page.click('.why-button')
    await page.click('[role="tab"]:has-text("Tools")')
    await page.click('.why-tool:has(code:text-is("clock")) .why-apply')
    await page.waitForSelector('.why-group:first-child code:text-is("current_time")')
    expect(await axeFindings(page)).to.deep.equal([])
  })

  it('say what the server would have to allow', async () => {
    const page = await open()
    await page.click('.why-button')
    await page.click('.why-switch button:text-is("List")')
    await page.click('[data-plugin="ask-user"]')
    await page.waitForSelector('.why-detail:has-text("/switches/ask-user")')
  })

  it('show the thread of another agent in its call, and how long the call took', async () => {
    const page = await open('asker')
    await ask(page, 'count for me')
    await page.waitForSelector(said('The counter said'))
    await page.click('.tool summary')
    await page.waitForSelector('.call-time >> text=Took')
    await page.click('.child-thread summary')
    await page.waitForSelector('.child-answer >> text=One to twelve.')
    expect(await axeFindings(page)).to.deep.equal([])
  })

  it('let an admin try an agent, store it, ask it and delete it', async () => {
    const page = await open()
    await page.click('.bar [aria-label="Agents"]')
    await page.waitForSelector('.agent-list >> text=counter')
    expect(await axeFindings(page)).to.deep.equal([])
    await page.click('.agents button:text-is("New agent")')
    await page.fill('.agents input', 'poet')
    await page.fill('.agent-spec', '{"allowed_tools": ["calculat"], "model_id": "none"}')
    await page.click('.agents button:text-is("Try")')
    await page.waitForSelector('.agents [role="alert"]')
    // The browser tells of each refused request.
    expect(browser.faults.splice(0)).to.have.length(1)
    await page.fill('.agent-spec', '{"allowed_tools": ["calculat"]}')
    await page.click('.agents button:text-is("Try")')
    await page.waitForSelector('.agents >> text=Did you mean "calculate"?')
    await page.fill('.agent-spec', '{"allowed_tools": ["calculate"]}')
    await page.click('.agents button:text-is("Save")')
    await page.click('.agent-list >> text=poet')
    await page.waitForSelector('.agent-spec')
    expect(await axeFindings(page)).to.deep.equal([])
    await page.click('.agents button:text-is("Delete")')
    await page.waitForSelector('.agent-list')
    expect(await page.textContent('.agent-list')).to.not.include('poet')
  })
})
