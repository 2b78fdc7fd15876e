import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { build } from 'esbuild'
import { ROOT } from '../helpers/source-files.ts'
import { Browser, type Page } from '../page/open-page.ts'
import { ServedPage } from '../page/served-page.ts'
import { BROWSER_IS_MISSING } from './program.ts'

const PEERS = join(ROOT, 'test', 'peers')
const PACKAGES = join(PEERS, 'node_modules')
const MODEL = 'scripted-1'

const SCRIPT = [
  { when: { tool: 'locate' }, then: { text: 'Rome is at {{result.locate}}.' } },
  { when: { text: 'locate' }, then: { tool_calls: [{ name: 'locate', input: { city: 'Rome' } }] } },
  { then: { text: 'You said: {{user}}', chunks: 4 } },
]

const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,">
<div id="app"></div><script type="module" src="/page.js"></script></html>`

/** Pages of published clients, under the address of a server. `npm run apps` tries all of what they do. */
describe('a page of', function () {
  this.timeout(60_000)
  let browser: Browser
  let served: ServedPage
  /** The script of the page that is opened next. */
  let script = ''

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    // deep-chat fails where an answer and its end arrive at once: it ends the message before it has read the events.
    const delay = 50
    served = await ServedPage.start({ script: SCRIPT, delay, front: ({ url }) => answerTo(url) })
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await served?.close()
  })
  afterEach(() => {
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  function answerTo(url: string): Response | undefined {
    const { pathname } = new URL(url)
    if (pathname === '/page') return fileOf(HTML, 'html')
    return pathname === '/page.js' ? fileOf(script, 'javascript') : undefined
  }

  function open(query: { readonly [name: string]: string } = {}): Promise<Page> {
    return browser.open(`${served.url}page?${new URLSearchParams({ agent: MODEL, ...query })}`)
  }

  it('assistant-ui shows an answer', async () => {
    script = await bundle(join(ROOT, 'test', 'apps', 'node', 'assistant-ui', 'page.jsx'))
    const page = await open({ key: 'any' })
    await page.fill('#question', 'hello')
    await page.click('#send')
    await page.waitForSelector('.answer:has-text("You said: hello")')
    await page.waitForSelector('#send')
  })

  it('deep-chat shows an answer', async () => {
    script = readFileSync(join(PACKAGES, 'deep-chat', 'dist', 'deepChat.bundle.js'), 'utf8')
    const page = await open()
    await page.evaluate(`customElements.whenDefined('deep-chat').then(() => {
      const chat = document.createElement('deep-chat')
      // Otherwise it loads a font from elsewhere.
      chat.style.fontFamily = 'sans-serif'
      chat.connect = { url: '${served.url}v1/responses', stream: true }
      chat.directConnection = { openAI: { key: 'any', chat: { model: '${MODEL}' } } }
      document.body.append(chat)
    })`)
    await page.fill('deep-chat #text-input', 'hello')
    await page.keyboard.press('Enter')
    await page.waitForSelector('deep-chat .ai-message-text:has-text("You said: hello")')
  })

  it('CopilotKit shows an answer, and runs its own tool', async () => {
    script = await bundle(join(PEERS, 'copilotkit-page.mjs'))
    const page = await open({ ask: 'hello' })
    await page.waitForSelector('#app:has-text("You said: hello")')
    const other = await open({ ask: 'locate' })
    await other.waitForSelector('#app:has-text("Rome is at 41.9 (Rome).")')
  })
})

function fileOf(text: string, type: string): Response {
  return new Response(text, { headers: { 'content-type': `text/${type}; charset=utf-8` } })
}

async function bundle(page: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [page],
    nodePaths: [PACKAGES],
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    // CopilotKit knows no other version of AG-UI than its own.
    alias: { 'copilotkit-ag-ui': join(PACKAGES, '@copilotkit/core/node_modules/@ag-ui/client') },
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}
