import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { packageFolders, ROOT } from '../helpers/source-files.ts'

const LINK = /\]\((?!https?:|#|mailto:)([^)\s#]+)/g

/** The pages that npm puts into a package, from its folder. */
function pagesOf(folder: string): readonly string[] {
  const docs = join(ROOT, folder, 'docs')
  const guides = existsSync(docs) ? readdirSync(docs).map((name) => `docs/${name}`) : []
  return ['README.md', ...guides.filter((name) => name.endsWith('.md'))]
}

describe('the pages of a package', () => {
  // The Python package has the same content on PyPI and in @braidwork/python.
  for (const folder of [...packageFolders(), 'python']) {
    it(`lead to nothing that is not in it: ${folder}`, () => {
      const dangling = pagesOf(folder).flatMap((page) => {
        const path = join(ROOT, folder, page)
        const links = [...readFileSync(path, 'utf8').matchAll(LINK)].map(([, link = '']) => link)
        const isMissing = (link: string) => {
          const target = join(dirname(path), link)
          return !target.startsWith(join(ROOT, folder)) || !existsSync(target)
        }
        return links.filter(isMissing).map((link) => `${page} → ${link}`)
      })
      expect(dangling).to.deep.equal([])
    })
  }
})
