import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { buildSite, checkLinks } from '../../scripts/site/build.ts'
import { drawingOf } from '../../scripts/site/drawing.ts'
import { render } from '../../scripts/site/markdown.ts'
import { forgottenGuides } from '../../scripts/site/pages.ts'
import { exportsOf } from '../../scripts/site/reference.ts'
import { ROOT } from '../helpers/source-files.ts'

const same = (link: string) => link

describe('the site of the documentation', function () {
  this.timeout(60_000)

  it('has every guide in its navigation', () => {
    expect(forgottenGuides(ROOT)).to.deep.equal([])
  })

  it('has a page for each guide and package, and no link that leads nowhere', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'site-'))
    try {
      const { pages } = await buildSite(ROOT, folder)
      expect(pages).to.be.greaterThan(60)
      const page = await readFile(join(folder, 'write-a-provider.html'), 'utf8')
      expect(page).to.include('<a href="write-a-provider.html" aria-current="page">')
      expect(page).to.include('href="testing.html"')
      const readme = await readFile(join(folder, 'tools/clock.html'), 'utf8')
      expect(readme).to.include('href="../site.css"')
      expect(await readFile(join(folder, 'files/docs/cost.svg'), 'utf8')).to.include('<svg')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('refuses a link to a section that does not exist', () => {
    const page = (anchor: string) => ({
      ...render(`# One\n\n## Two words\n\n[link](#${anchor})\n`, same),
      path: 'one.html',
    })
    expect(() => checkLinks([page('two-words')])).not.to.throw()
    expect(() => checkLinks([page('three')])).to.throw('one.html links to #three')
  })

  it('shows TypeScript and Python side by side', () => {
    const block = (language: string, file: string) => `\`\`\`${language} ${file}\n1\n\`\`\`\n`
    const { html } = render(block('ts', 'a.ts') + block('python', 'a.py'), same)
    expect(html.match(/class="pair"/g)).to.have.length(1)
    expect(render(block('python', 'a.py') + block('ts', 'a.ts'), same).html).not.to.include('pair')
  })

  it('finds the text of a section under its heading, and gives equal headings other ids', () => {
    const { title, sections } = render('# Top\n\n## A `b`\n\nfirst\n\n## A b\n\nsecond\n', same)
    expect(title).to.equal('Top')
    expect(sections.map(({ id }) => id)).to.deep.equal(['top', 'a-b', 'a-b-1'])
    expect(sections[2]?.text).to.include('second')
  })

  it('escapes what code and labels contain', () => {
    expect(render('```text\n<b>&\n```\n', same).html).to.include('&lt;b&gt;&amp;')
    expect(drawingOf('flowchart LR\n  <b> --> tag-x([x])')).to.include('&lt;b&gt;')
  })

  it('draws a tag behind the plugin that provides it', () => {
    const svg = drawingOf('flowchart LR\n  provider --> tag-text([text])\n  tag-text --x other')
    const left = (label: string) =>
      Number(new RegExp(`<text x="(\\d+)"[^>]*>${label}<`).exec(svg)?.[1])
    expect(left('provider')).to.be.below(left('text'))
    expect(left('text')).to.be.below(left('other'))
    expect(svg).to.include('class="forbidden"')
  })

  it('reads the reference from declarations: comments, kinds, and things of other packages', () => {
    const core = exportsOf(join(ROOT, 'src/core/dist/index.d.ts'))
    const named = new Map(core.map((entry) => [entry.name, entry]))
    expect(named.get('HostError')).to.include({ from: '@braidwork/plugin' })
    expect(named.get('createHost')).to.include({ kind: 'function' })
    expect(named.get('createHost')?.code).to.match(/^function createHost\(/)
    expect(named.get('Host')?.code).not.to.include('#private')
    const plugin = exportsOf(join(ROOT, 'src/plugin/dist/index.d.ts'))
    const context = plugin.find(({ name }) => name === 'Context')
    expect(context?.doc).to.match(/^The last argument of every hook of a request\./)
  })
})
