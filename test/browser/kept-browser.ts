import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KEPT, keepMarked } from '../../scripts/tests/processes.ts'
import { LAUNCH } from './program.ts'

const PEERS = new URL('../peers/node_modules/', import.meta.url)
const PLAYWRIGHT = new URL('playwright-core/index.mjs', PEERS)

/** A browser of playwright-core. */
export interface KeptBrowser<Context> {
  newContext(options: object): Promise<Context>
  isConnected(): boolean
  close(): Promise<void>
}

interface Playwright<Context> {
  readonly chromium: { launch(options: object): Promise<KeptBrowser<Context>> }
}

/** Whether this process runs one test file after another, and is told when to end. */
const IS_WORKER = process.env['MOCHA_WORKER_ID'] !== undefined

interface Kept {
  readonly browser: KeptBrowser<unknown>
  readonly folder: string
}

let kept: Promise<Kept> | undefined
let users = 0

/**
 * The browser of this process, which the first that asks for it starts: a start takes as long as opening two pages. In a
 * worker of mocha it stays for further test files and ends with the worker; elsewhere it ends with its last user.
 */
export async function takeBrowser<Context>(): Promise<KeptBrowser<Context>> {
  users += 1
  keepMarked(false)
  kept ??= start()
  let { browser } = await kept
  // It may have fallen, or a test file may have left it in use.
  if (!browser.isConnected()) {
    kept = start()
    browser = (await kept).browser
  }
  return browser as KeptBrowser<Context>
}

/** Tells that a user needs it no longer, and has closed what was opened in it. */
export async function leaveBrowser(): Promise<void> {
  users -= 1
  if (users > 0 || kept === undefined) return
  if (IS_WORKER) return keepMarked(true)
  const { browser, folder } = await kept
  kept = undefined
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}

/** Starts it with a folder of its own for its temporary files, which the watch for left files knows by its name. */
async function start(): Promise<Kept> {
  const { chromium } = (await import(PLAYWRIGHT.href)) as Playwright<unknown>
  const { TMPDIR } = process.env
  const folder = mkdtempSync(join(tmpdir(), 'braidwork-browser-'))
  process.env['TMPDIR'] = folder
  try {
    const env = { ...process.env, [KEPT]: '1' }
    return { browser: await chromium.launch({ ...LAUNCH, env }), folder }
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
  }
}
