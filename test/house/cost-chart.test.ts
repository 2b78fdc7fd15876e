import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { CHART_PATH, chartOf, summaryIn } from '../../bench/chart.ts'
import { ROOT } from '../helpers/source-files.ts'

const README = readFileSync(join(ROOT, 'README.md'), 'utf8')

describe('the chart of costs', () => {
  it('shows the table of the README; run "npm run docs" where this fails', () => {
    expect(readFileSync(CHART_PATH, 'utf8')).to.equal(chartOf(summaryIn(README)))
  })

  it('has a bar for each value of the table', () => {
    const { measures, clients } = summaryIn(README)
    const values = clients.flatMap((client) => client.values).filter((value) => value !== '')
    const chart = chartOf({ measures, clients })
    for (const { name } of clients.slice(1)) expect(chart).to.include(name)
    for (const measure of measures) expect(chart).to.include(measure)
    expect(values).to.have.length.above(40)
    expect(
      values.every((value) => Number(value) > 0 && chart.includes(`>${value}</text>`)),
    ).to.equal(true)
  })

  it('is referred to by the README, relatively', () => {
    expect(README).to.match(/!\[[^\]]+\]\(docs\/cost\.svg\)/)
  })

  it('has no bar for a value that was not measured', () => {
    const summary = summaryIn(
      '|  | chat, ms |\n| --- | ---: |\n| `a` & b | 2.0 (1.0 ×) |\n| c |  |\n\n',
    )
    expect(summary).to.deep.equal({
      measures: ['chat, ms'],
      clients: [
        { name: 'a & b', values: ['2.0'] },
        { name: 'c', values: [''] },
      ],
    })
    expect(chartOf(summary).match(/<rect x=/g)).to.have.length(1)
    expect(chartOf(summary)).to.include('a &amp; b')
  })
})
