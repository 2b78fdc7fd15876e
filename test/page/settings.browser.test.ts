import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { INSTALLED_WITHIN, PackedServer } from '../server/clients/packed-server.ts'
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

  it('show at its field what the server alone finds wrong, in words of the page around its own', async () => {
    const page = await browser.open(server.url, { locale: 'de-DE' })
    await page.click('.bar [aria-label="Einstellungen"]')
    await page.click('.rjsf label:has-text("Uhr")')
    await page.fill('#settings_settings_clock_time_zone', 'Nope/X')
    await page.click('.rjsf button.main')
    const place = '.form-group:has(> #settings_settings_clock_time_zone) .error-detail'
    await page.waitForSelector(`${place} >> text=Der Server nimmt dies nicht an: `)
    expect(await page.textContent(place))
      .to.include('Nope/X')
      .and.not.include('not valid:')
    expect(await page.evaluate('document.querySelector(".drawer-error")')).to.equal(null)
    await until(page, 'document.activeElement.id === "settings_settings_clock_time_zone"')
    await page.fill('#settings_settings_clock_time_zone', 'Europe/Berlin')
    await page.waitForSelector(place, { state: 'detached' })
    await page.click('.rjsf button.main')
    await page.waitForSelector('[role="status"] >> text=Gespeichert')
    browser.takeRefusals()
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
    await page.click('.view-switch button:text-is("List")')
    await page.click('[data-plugin="ask-user"]')
    await page.waitForSelector('.why-detail:has-text("/switches/ask-user")')
  })

  it('show the thread of another agent in its call, and how long the call took', async () => {
    const page = await open('asker')
    await ask(page, 'count for me')
    await page.waitForSelector(said('The counter said'))
    await page.click('.tool summary')
    await page.waitForSelector('.call-fact >> text=Took')
    await page.click('.child-thread summary')
    await page.waitForSelector('.child-answer >> text=One to twelve.')
    expect(await page.textContent('.child-thread summary')).to.equal('Asked counter done')
    expect(await axeFindings(page)).to.deep.equal([])
    await page.click('[aria-label="What was sent, and when"]')
    await page.click('[role=tab]:has-text("Time line")')
    await page.click('.time-child')
    await page.waitForSelector('.time-facts:has-text("parentCallId")')
  })

  it('let an admin try an agent, store it, ask it and delete it', async () => {
    const page = await open()
    await page.click('.bar [aria-label="Agents"]')
    await page.waitForSelector('.agent-list >> text=counter')
    expect(await axeFindings(page)).to.deep.equal([])
    await page.click('.agents button:text-is("New agent")')
    await page.fill('.agents > label input', 'poet')
    await page.click('.agents details:has(button:text-is("calculate")) summary')
    await page.click('.agents details button:text-is("calculate")')
    expect(await page.inputValue('#agent_allowed_tools')).to.equal('calculate')
    await until(page, 'document.activeElement.closest("details.known") !== null')
    await page.fill('#agent_allowed_tools', 'calculat')
    await page.click('.agents button:text-is("Try")')
    await page.waitForSelector('.agents >> text=Did you mean "calculate"?')
    await page.fill('#agent_allowed_tools', 'calculate')
    await page.click('.agents button:text-is("Save")')
    await page.click('.agent-list >> text=poet')
    await page.waitForSelector('#agent_system_prompt')
    expect(await page.inputValue('#agent_allowed_tools')).to.equal('calculate')
    expect(await axeFindings(page)).to.deep.equal([])
    await page.click('.agents button:text-is("Delete")')
    await page.waitForSelector('.agent-list')
    expect(await page.textContent('.agent-list')).to.not.include('poet')
  })

  it('show what is wrong with an agent at its fields', async () => {
    const page = await open()
    await page.click('.bar [aria-label="Agents"]')
    await page.click('.agents button:text-is("New agent")')
    await page.fill('.agents > label input', 'poet')
    await page.fill('#agent_max_rounds', '0')
    await page.fill('#agent_sections', '{"retry": {"jitter": ')
    await page.click('.agents button:text-is("Try")')
    await page.waitForSelector('.form-group:has(> #agent_max_rounds) .error-detail')
    await page.waitForSelector('.form-group:has(> #agent_sections) .error-detail')
    await page.waitForSelector('.error-detail >> text=The JSON ends too early')
    await page.fill('#agent_max_rounds', '2')
    await page.fill('#agent_sections', '{"retry": {"jitter": "much", "max_retries": 1}}')
    await page.click('.agents button:text-is("Try")')
    await page.waitForSelector('.error-detail:has-text("/retry/jitter")')
    expect(await page.evaluate('document.querySelectorAll(".error-detail").length')).to.equal(1)
    expect(browser.takeRefusals()).to.deep.equal(['422', '422'])
  })

  it('keep what was typed into an agent as JSON and in its form', async () => {
    const page = await open()
    await page.click('.bar [aria-label="Agents"]')
    await page.click('.agents button:text-is("New agent")')
    await page.fill('#agent_system_prompt', 'Rhyme.')
    await page.click('.agents button:text-is("JSON")')
    expect(await page.inputValue('.agent-spec')).to.include('"system_prompt": "Rhyme."')
    await page.fill('.agent-spec', '{"system_prompt": "Rhyme.", "max_rounds": ')
    await page.click('.agents button:text-is("Form")')
    await page.waitForSelector('.agents [role="alert"]')
    const typed = '{"system_prompt": "Rhyme.",   "max_rounds": 3}'
    await page.fill('.agent-spec', typed)
    await page.click('.agents button:text-is("Form")')
    await page.waitForSelector('#agent_max_rounds')
    expect(await page.inputValue('#agent_max_rounds')).to.equal('3')
    await page.click('.agents button:text-is("JSON")')
    expect(await page.inputValue('.agent-spec')).to.equal(typed)
  })
})
