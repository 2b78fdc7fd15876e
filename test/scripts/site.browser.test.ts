import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { expect } from 'chai'
import { buildSite } from '../../scripts/site/build.ts'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { ROOT } from '../helpers/source-files.ts'
import { axeFindings, Browser } from '../page/open-page.ts'

const TYPES: { readonly [extension: string]: string } = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
}

/** Serves the files of a folder. */
async function serve(folder: string): Promise<Server> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost')
    readFile(join(folder, pathname)).then(
      (content) => response.setHeader('content-type', TYPES[extname(pathname)] ?? '').end(content),
      () => response.writeHead(404).end(),
    )
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return server
}

describe('the site of the documentation in a browser', function () {
  this.timeout(60_000)
  let folder: string
  let server: Server
  let browser: Browser
  let url: string

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) {
      process.stderr.write(`The tests of the site are skipped: ${BROWSER_IS_MISSING}\n`)
      return this.skip()
    }
    folder = await mkdtemp(join(tmpdir(), 'site-'))
    await buildSite(ROOT, folder)
    server = await serve(folder)
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    server?.close()
    if (folder) await rm(folder, { recursive: true })
  })
  afterEach(() => {
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  it('finds a section by its words, and leads to it', async () => {
    const page = await browser.open(`${url}tools/clock.html`)
    await page.keyboard.press('/')
    await page.keyboard.type('provider usage')
    await page.waitForSelector('#found li')
    expect(await page.textContent('#found li a')).to.include('finish reason and usage')
    await page.keyboard.press('Enter')
    await page.waitForURL(({ pathname }) => pathname === '/write-a-provider.html')
    expect(page.url()).to.match(/#step-2-/)
    await page.waitForSelector('h1 >> text=Write a provider')
  })

  it('says when it finds nothing', async () => {
    const page = await browser.open(`${url}index.html`)
    await page.fill('input[type=search]', 'xylophone')
    await page.waitForSelector('#found >> text=Nothing found.')
    await page.keyboard.press('Escape')
    await page.waitForSelector('#found', { state: 'hidden' })
  })

  it('leads from page to page in the order of the work, and to types', async () => {
    const page = await browser.open(`${url}write-a-provider.html`)
    await page.click('footer a:last-child')
    await page.waitForURL(({ pathname }) => pathname === '/write-an-extension.html')
    await page.click('nav >> text=@braidwork/core')
    await page.waitForURL(({ pathname }) => pathname === '/api/core.html')
    await page.waitForSelector('#createHost')
    await page.click('pre[aria-label="createHost"] a >> text=HostOptions')
    await page.waitForURL(({ hash }) => hash === '#HostOptions')
  })

  it('keeps the chosen colors', async () => {
    const page = await browser.open(`${url}index.html`)
    const back = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    expect(await back()).to.equal('rgb(255, 255, 255)')
    await page.click('.theme')
    await page.reload()
    expect(await back()).to.equal('rgb(22, 24, 29)')
  })

  for (const path of ['index.html', 'write-a-provider.html', 'tags.html', 'api/plugin.html']) {
    it(`has nothing that axe finds, dark or light: ${path}`, async () => {
      const page = await browser.open(url + path)
      expect(await axeFindings(page)).to.deep.equal([])
    })
  }

  it('fits on a phone', async () => {
    const page = await browser.open(`${url}write-a-provider.html`, {
      viewport: { width: 390, height: 800 },
    })
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).to.equal(390)
    expect(await page.evaluate<boolean>("document.querySelector('nav details').open")).to.equal(
      false,
    )
  })
})
