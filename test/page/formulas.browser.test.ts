import { expect } from 'chai'
import { axeFindings, type Page } from './open-page.ts'
import { PageSuite } from './page-suite.ts'
import { ready, send, settled } from './writing.ts'

const MATH = [
  'Inline $E=mc^2$ and \\(a^2+b^2=c^2\\).\n\n$$\\int_0^1 x^2\\,dx = \\frac{1}{3}$$\n\n',
  '\\[\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}\\]\n\n',
  'It costs $5 and $10. Broken: $\\frac{1}{$ and \\(\\undefinedcmd{x}\\).\n\n',
  '$$\\begin{aligned}a&=b+c\\\\ &=d\\end{aligned}$$\n\n',
  'Cases: $$f(x)=\\begin{cases}1&x>0\\\\0&\\text{else}\\end{cases}$$ sum $\\sum_{i=1}^n i$, ',
  '$\\sqrt[3]{x}$, \\(\\vec{v}\\cdot\\mathbb{R}\\), $\\overline{ab}$, $\\cancel{x}$\n\n',
  'Code: `$x$`\n',
].join('')
const WIDE = `A wide one: $${'x + '.repeat(100)}x$ and $$${'y + '.repeat(100)}y$$ end`
const HOSTILE = `$\\hspace{-50em}\\rule{500em}{500em}\\color{url(//leak.example)}x$ \\(\\href{javascript:1}{x}\\) ${'$\\sqrt{'.repeat(500)} $<img src=x>$`
const SCRIPT = [
  { when: { text: 'math' }, then: { text: MATH, chunks: 40 } },
  {
    when: { text: 'columns' },
    then: { text: '$$\\begin{array}{rl}a&b\\\\dddd&eeee\\end{array}$$' },
  },
  { when: { text: 'wide' }, then: { text: WIDE } },
  { when: { text: 'hostile' }, then: { text: HOSTILE } },
  { then: { text: 'It costs $5 and $10.' } },
]
/** Keeps what the page copies. A browser without a screen gives nobody its clipboard. */
const COPIES =
  'navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve() }'
const LOADED =
  'performance.getEntriesByType("resource").filter(({ name }) => name.includes("formula")).length'

describe('formulas on the page', function () {
  this.timeout(60_000)
  const suite = new PageSuite({ script: SCRIPT })

  async function answered(question: string, options = {}): Promise<Page> {
    const page = await ready(await suite.browser.open(suite.served.url, options))
    await send(page, question)
    await page.waitForSelector('.message:not(.own) .usage')
    await settled(page)
    return page
  }

  it('are laid out by the browser, except for prices and code, and a faulty one is its source', async () => {
    const page = await answered('math', { init: COPIES })
    await page.waitForSelector('.markdown math mtable')
    const names = await page.evaluate<readonly string[]>(
      '[...new Set([...document.querySelectorAll("math, math *")].map(({ namespaceURI }) => namespaceURI))]',
    )
    expect(names).to.deep.equal(['http://www.w3.org/1998/Math/MathML'])
    expect(await page.evaluate('document.querySelectorAll(".markdown math").length')).to.equal(11)
    const text = await page.evaluate<string>('document.querySelector(".markdown").innerText')
    expect(text).to.include(
      'It costs $5 and $10. Broken: $\\frac{1}{$ and \\(\\undefinedcmd{x}\\).',
    )
    expect(text).to.include('Code: $x$')
    const hints =
      '[...document.querySelectorAll(".markdown [title]")].map(({ title, textContent }) => [title, textContent])'
    expect(await page.evaluate(hints)).to.deep.equal([
      ['This formula is faulty or too large to be shown.', '$\\frac{1}{$'],
      ['This formula is faulty or too large to be shown.', '\\(\\undefinedcmd{x}\\)'],
    ])
    const ys = await page.evaluate<readonly number[]>(
      '[...document.querySelector("mfrac").children].map((one) => one.getBoundingClientRect().top)',
    )
    expect(ys[1]).to.be.above((ys[0] as number) + 5)
    await page.click('.message:not(.own) [aria-label="Copy"]')
    await page.waitForSelector('.message:not(.own) [aria-label="Copied"]')
    expect(await page.evaluate('window.copied')).to.equal(MATH)
    expect(await axeFindings(page)).to.deep.equal([])
  })

  it('have their columns where they belong', async () => {
    const page = await answered('columns')
    await page.waitForSelector('.markdown mtd')
    const edges = await page.evaluate<readonly (readonly number[])[]>(
      `[...document.querySelectorAll('mtd')].map(({ firstElementChild }) => firstElementChild.getBoundingClientRect())
        .map(({ left, right }) => [Math.round(left), Math.round(right)])`,
    )
    const [first, second, third, fourth] = edges
    expect(first?.[1]).to.equal(third?.[1])
    expect(first?.[0]).to.be.above(third?.[0] as number)
    expect(second?.[0]).to.equal(fourth?.[0])
    expect(second?.[1]).to.be.below(fourth?.[1] as number)
  })

  it('scroll where they are wider than the page', async () => {
    const page = await answered('wide', { viewport: { width: 390, height: 700 } })
    await page.waitForSelector('.markdown math')
    const overflow =
      'document.querySelector(".thread").scrollWidth - document.querySelector(".thread").clientWidth'
    expect(await page.evaluate(overflow)).to.equal(0)
    const scrolls =
      '[...document.querySelectorAll(".markdown-math")].map((one) => one.scrollWidth > one.clientWidth)'
    expect(await page.evaluate(scrolls)).to.deep.equal([true, true])
  })

  it('have a hint in German', async () => {
    const page = await answered('math', { locale: 'de-DE' })
    await page.waitForSelector('.markdown [title^="Diese Formel ist fehlerhaft"]')
  })

  it('cover nothing, load nothing and run nothing if they are hostile', async () => {
    const page = await answered('hostile')
    await page.waitForSelector('.markdown math, .markdown [title]')
    const outside = `[...document.querySelectorAll('.markdown math *')].filter((one) => {
      const [box, own] = [document.querySelector('.thread'), one.closest('.markdown-math')].map((of) => of.getBoundingClientRect())
      return own.left < box.left || own.right > box.right || own.height > box.height
    }).length`
    expect(await page.evaluate(outside)).to.equal(0)
    expect(
      await page.evaluate('document.querySelectorAll(".markdown :is(a, img, script)").length'),
    ).to.equal(0)
  })

  it('are loaded with the first one', async () => {
    const page = await answered('price')
    expect(await page.evaluate(LOADED)).to.equal(0)
    await send(page, 'math')
    await page.waitForSelector('.markdown math')
    expect(await page.evaluate<number>(LOADED)).to.be.above(0)
  })
})
