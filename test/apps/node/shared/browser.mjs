// What the programs of applications in a browser share.
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { ORIGIN } from './cases.mjs'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,">
<div id="app"></div><script type="module" src="/page.js"></script></html>`

/** Opens pages with a script, under the address of the server, so that no other origin asks it. */
export async function startBrowser(script) {
  const executablePath = PLACES.find((place) => existsSync(place))
  if (!executablePath) throw new Error('There is no Chromium on this machine.')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const open = async (address = '') => {
    const page = await browser.newPage()
    page.setDefaultTimeout(20_000)
    page.on('pageerror', (error) => process.stderr.write(`${error}\n`))
    await page.route(/\/page(\?.*)?$/, (route) =>
      route.fulfill({ contentType: 'text/html; charset=utf-8', body: PAGE }),
    )
    await page.route(`${ORIGIN}/page.js`, (route) =>
      route.fulfill({ contentType: 'text/javascript; charset=utf-8', body: script }),
    )
    await page.goto(`${ORIGIN}/page${address}`)
    return page
  }
  return { open, close: () => browser.close() }
}

/** Counts the pieces of the answers that the page receives. */
export async function countPieces(page) {
  const client = await page.context().newCDPSession(page)
  let count = 0
  client.on('Network.dataReceived', () => count++)
  await client.send('Network.enable')
  return () => count
}
