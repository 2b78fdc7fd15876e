import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { ROOT } from '../helpers/source-files.ts'

const SITE = join(ROOT, 'src', 'page', 'dist', 'site')
/** In bytes, compressed, in English and before anything is opened that loads on demand. */
const MOST = 70_000
/** The words of another language, which take the place of those in English. */
const MOST_WORDS = 8_000

/** A file of the built page, and those that it loads at once. */
function loadedWith(name: string, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(name)) return loaded
  loaded.add(name)
  const text = readFileSync(join(SITE, name), 'utf8')
  const isPage = name.endsWith('.html')
  const found = isPage
    ? text.matchAll(/(?:src|href)="\.\/([^"]+)"/g)
    : text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)
  for (const [, next = ''] of found) loadedWith(isPage ? next : `page/${next}`, loaded)
  return loaded
}

function sizeOf(name: string): number {
  return gzipSync(readFileSync(join(SITE, name))).length
}

describe('the page', () => {
  it('is small before anything of it is opened', () => {
    const loaded = [...loadedWith('index.html')]
    const scripts = loaded.filter((name) => name.endsWith('.js'))
    expect(scripts.length).to.be.above(1)
    const size = loaded.map(sizeOf).reduce((sum, one) => sum + one, 0)
    expect(size).to.be.within(30_000, MOST)
  })

  it('loads small words in another language', () => {
    const words = readdirSync(join(SITE, 'page')).filter((name) => name.startsWith('de-'))
    expect(words).to.have.length(1)
    expect(sizeOf(`page/${words[0]}`)).to.be.within(2_000, MOST_WORDS)
  })
})
