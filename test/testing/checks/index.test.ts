import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { KINDS } from '../../../src/plugin/kinds.ts'
import { CHECKS } from '../../../src/testing/checks/index.ts'
import { ROOT } from '../../helpers/source-files.ts'

/** The places of a page of the docs: its headings, as links name them. */
function placesOf(page: string): readonly string[] {
  const path = join(ROOT, 'docs', page)
  if (!existsSync(path)) return []
  const headings = readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
}

describe('the checks of a plugin of each kind', () => {
  for (const kind of KINDS) {
    it(`say what it does that passes: ${kind}`, () => {
      expect(CHECKS[kind].length).to.be.above(10)
      for (const { name } of CHECKS[kind]) expect(name).to.match(/^[a-z]+( [^\s]+)+$/)
    })

    it(`lead to a place of the docs: ${kind}`, () => {
      for (const { name, about } of CHECKS[kind]) {
        const [page = '', place] = about.split('#')
        const places = placesOf(page)
        expect(places, `${name}: ${about}`).to.include(place ?? places[0] ?? 'a page')
      }
    })
  }
})
