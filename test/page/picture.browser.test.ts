import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { ROOT } from '../helpers/source-files.ts'
import { Browser } from './open-page.ts'
import { picture } from './picture.ts'

const COMMITTED = join(ROOT, 'docs', 'page.png')
/** The part of the pixels that may differ: fonts are drawn differently from machine to machine. */
const TOLERANCE = 0.02
/** How far a color may be off before it differs, of 255. */
const LITTLE = 40

/** The widths of a text in the fonts of the page, in pixels: other fonts make another picture. */
const WIDTHS_HERE = `(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d')
  return ['16px system-ui, sans-serif', '16px monospace'].map((font) => {
    canvas.font = font
    return Math.round(canvas.measureText('Braidwork plugins 0123456789').width)
  })
})()`
/** Those of the fonts in the committed picture, DejaVu Sans and DejaVu Sans Mono. */
const WIDTHS = [250, 270]

/** The part of the pixels of two pictures that differ; 1 where their sizes do. */
function partThatDiffers(pictures: readonly Buffer[]): string {
  const addresses = pictures.map((one) => `data:image/png;base64,${one.toString('base64')}`)
  return `(async () => {
    const [one, other] = await Promise.all(${JSON.stringify(addresses)}.map(async (address) => {
      const image = new Image()
      image.src = address
      await image.decode()
      const { width, height } = image
      const canvas = new OffscreenCanvas(width, height).getContext('2d')
      canvas.drawImage(image, 0, 0)
      return canvas.getImageData(0, 0, width, height)
    }))
    if (one.width !== other.width || one.height !== other.height) return 1
    let count = 0
    for (let at = 0; at < one.data.length; at += 4) {
      const isFar = [0, 1, 2].some((c) => Math.abs(one.data[at + c] - other.data[at + c]) > ${LITTLE})
      if (isFar) count++
    }
    return count / (one.data.length / 4)
  })()`
}

describe('the picture of the page in the README', function () {
  this.timeout(60_000)

  before(function () {
    if (BROWSER_IS_MISSING !== undefined) this.skip()
  })

  it('shows the page as it is; run "npm run screenshots" where this fails, and look at it', async function () {
    const browser = await Browser.launch()
    try {
      const blank = await browser.open('about:blank')
      const widths = await blank.evaluate<readonly number[]>(WIDTHS_HERE)
      if (String(widths) !== String(WIDTHS)) {
        process.stderr.write(`The picture is not compared: the fonts here are others, ${widths}.\n`)
        return this.skip()
      }
      const fresh = await picture()
      const part = await blank.evaluate<number>(partThatDiffers([readFileSync(COMMITTED), fresh]))
      expect(part, 'the part of the pixels that differ').to.be.below(TOLERANCE)
    } finally {
      await browser.close()
    }
  })

  it('is of a size that a README may load', () => {
    expect(readFileSync(COMMITTED).length).to.be.below(150_000)
  })
})
