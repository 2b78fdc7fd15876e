import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect } from 'chai'
import { type Block, blocksOf } from './readme-blocks.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')

describe('README', () => {
  let blocks: readonly Block[]
  before(async () => {
    blocks = blocksOf(await readFile(join(ROOT, 'README.md'), 'utf8'))
  })

  it('has a first screen: what it is, the main job, the tests', () => {
    const commands = blocks.flatMap(({ language, code }) =>
      language === 'sh' ? [code.trim()] : [],
    )
    expect(commands.slice(0, 2)).to.deep.equal([
      'npm ci && npx braidwork chat "What is 12 * 34, and what day is it?"',
      'npm ci && npm test',
    ])
  })

  it('has a plugin of ten lines or so', () => {
    const { code } = blocks.find(({ file }) => file === 'shout.mjs') ?? { code: '' }
    const lines = code.split('\n').filter((line) => line.trim() !== '')
    expect(lines.length).to.be.within(5, 16)
  })

  it('shows pictures that exist, each with a text in its place', async () => {
    const markdown = await readFile(join(ROOT, 'README.md'), 'utf8')
    const pictures = [...markdown.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)]
    expect(pictures.map(([, , path]) => path)).to.include('docs/page.png')
    for (const [, text = '', path = ''] of pictures) {
      expect(text.length, path).to.be.above(20)
      expect((await readFile(join(ROOT, path))).length, path).to.be.above(1000)
    }
  })

  it('stays short', async () => {
    const lines = (await readFile(join(ROOT, 'README.md'), 'utf8')).split('\n')
    expect(lines.length).to.be.at.most(120)
  })

  for (const name of ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'LICENSE']) {
    it(`stands beside ${name}`, async () => {
      expect((await readFile(join(ROOT, name), 'utf8')).length).to.be.greaterThan(100)
    })
  }
})
