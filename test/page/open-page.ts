import { readFileSync } from 'node:fs'
import { type KeptBrowser, leaveBrowser, takeBrowser } from '../browser/kept-browser.ts'

const PEERS = new URL('../peers/node_modules/', import.meta.url)

/** The part of a page of playwright-core that these tests use. */
export interface Page {
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> }
  goto(url: string): Promise<unknown>
  close(): Promise<void>
  reload(): Promise<unknown>
  url(): string
  setDefaultTimeout(limit: number): void
  click(selector: string): Promise<void>
  dblclick(selector: string): Promise<void>
  hover(selector: string): Promise<void>
  fill(selector: string, text: string): Promise<void>
  focus(selector: string): Promise<void>
  selectOption(selector: string, value: string): Promise<unknown>
  setInputFiles(selector: string, file: object | string): Promise<void>
  textContent(selector: string): Promise<string | null>
  inputValue(selector: string): Promise<string>
  waitForURL(isThere: (url: URL) => boolean): Promise<void>
  waitForSelector(selector: string, options?: { state?: string }): Promise<unknown>
  evaluate<T>(script: string): Promise<T>
  screenshot(options: { path: string }): Promise<unknown>
  pdf(): Promise<unknown>
  setViewportSize(size: { width: number; height: number }): Promise<void>
  emulateMedia(media: { colorScheme?: 'light' | 'dark'; media?: 'print' }): Promise<void>
  on(event: string, listener: (told: Told) => void): void
  waitForEvent(event: 'download'): Promise<{ path(): Promise<string> }>
  waitForEvent(event: 'console'): Promise<unknown>
  context(): Context
}

/** What tabs of one person have in common. */
interface Context {
  newPage(): Promise<Page>
  addInitScript(script: string): Promise<void>
  setOffline(isOffline: boolean): Promise<void>
  close(): Promise<void>
}

/** What a page is opened with, beside the options of a context of playwright-core. */
interface OpenOptions {
  /** A script that runs before those of the page. */
  readonly init?: string
  readonly [option: string]: unknown
}

/** A line of the console, a dialog, or an error of a page. */
interface Told {
  readonly message: unknown
  type(): string
  text(): string
  accept(): Promise<void>
}

const REFUSED = /^Failed to load resource: the server responded with a status of (\d{3}) /

/** Milliseconds for one thing that a page is waited for, on a busy machine. */
const TIME_LIMIT = 8000

/** A finding of axe-core. */
interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/** The browser of this process with pages of one user of it, whose faults are collected. */
export class Browser {
  /** Lines of the console that are errors or warnings, and errors that no script caught. */
  readonly faults: string[] = []
  readonly #browser: KeptBrowser<Context>
  readonly #contexts: Context[] = []

  private constructor(browser: KeptBrowser<Context>) {
    this.#browser = browser
  }

  static async launch(): Promise<Browser> {
    return new Browser(await takeBrowser())
  }

  /** Opens a page in a context of its own: nothing is kept of others. */
  async open(url: string, { init, ...options }: OpenOptions = {}): Promise<Page> {
    const size = { viewport: { width: 1200, height: 800 }, reducedMotion: 'reduce' }
    const context = await this.#browser.newContext({ ...size, ...options })
    this.#contexts.push(context)
    if (init !== undefined) await context.addInitScript(init)
    return this.#opened(await context.newPage(), url)
  }

  /** Opens another tab of the person who has a page. */
  async openBeside(page: Page, url: string): Promise<Page> {
    return this.#opened(await page.context().newPage(), url)
  }

  /**
   * Takes out what the browser itself tells of refused requests, one line for each.
   * @returns the statuses of the refused requests
   */
  takeRefusals(): readonly string[] {
    const refusals = this.faults.flatMap((fault) => REFUSED.exec(fault)?.[1] ?? [])
    const others = this.faults.filter((fault) => !REFUSED.test(fault))
    this.faults.splice(0, this.faults.length, ...others)
    return refusals
  }

  async #opened(page: Page, url: string): Promise<Page> {
    page.on('console', (line) => {
      if (['error', 'warning'].includes(line.type())) this.faults.push(line.text())
    })
    page.on('pageerror', ({ message }) => this.faults.push(String(message)))
    page.on('dialog', (dialog) => void dialog.accept())
    page.setDefaultTimeout(TIME_LIMIT)
    await page.goto(url)
    return page
  }

  /** Closes the pages, with all that they keep. */
  async close(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()))
    await leaveBrowser()
  }
}

/** Until a script in the page says so. The page's policy lets nobody evaluate a text in it, but from outside. */
export async function until(page: Page, script: string): Promise<void> {
  const end = Date.now() + TIME_LIMIT
  while (!(await page.evaluate<boolean>(script))) {
    if (Date.now() > end) throw new Error(`It never was so: ${script}`)
    await new Promise((done) => setTimeout(done, 50))
  }
}

/** What axe-core looks for: everything, and of what it finds the faults alone; then what colors make a difference to. */
const LOOKS = {
  dark: { resultTypes: ['violations'] },
  light: {
    resultTypes: ['violations'],
    runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
  },
} as const

/** What axe-core finds on a page, dark and light, one line each. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(readFileSync(new URL('axe-core/axe.min.js', PEERS), 'utf8'))
  const lines: string[] = []
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    const found = await page.evaluate<readonly Violation[]>(
      `axe.run(${JSON.stringify(LOOKS[colorScheme])}).then(({ violations }) => violations)`,
    )
    for (const { id, nodes } of found) {
      const places = nodes.map(({ html }) => html.slice(0, 120)).join('; ')
      lines.push(`${colorScheme}: ${id}: ${places}`)
    }
  }
  return lines
}
