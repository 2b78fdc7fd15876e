import { expect } from 'chai'
import { didYouMean, listed, nearest } from '../../src/core/suggest.ts'

describe('nearest', () => {
  it('finds what was meant, whatever the case and the separators', () => {
    expect(nearest('processchunk', ['finalize', 'processChunk'])).to.equal('processChunk')
    expect(nearest('process_chunk', ['processChunk'])).to.equal('processChunk')
    expect(nearest('think-tag', ['clock', 'think-tags'])).to.equal('think-tags')
  })

  it('finds nothing where all are too far, and less far where a name is short', () => {
    expect(nearest('weather', ['clock', 'files'])).to.equal(undefined)
    expect(nearest('abc', ['axy'])).to.equal(undefined)
    expect(nearest('x', [])).to.equal(undefined)
  })

  it('prefers the nearest, and the first of two as near', () => {
    expect(nearest('search', ['seerch2', 'searcg'])).to.equal('searcg')
    expect(nearest('claok', ['clook', 'cloak'])).to.equal('clook')
  })
})

describe('didYouMean', () => {
  it('is a question, or nothing', () => {
    expect(didYouMean('weather', ['clock'])).to.equal('')
    expect(didYouMean('clok', ['clock'])).to.equal(' Did you mean "clock"?')
  })
})

describe('listed names', () => {
  it('are all of them', () => {
    expect(listed([])).to.equal('')
    expect(listed(['clock', 'files'])).to.equal('clock, files')
  })

  it('are the first where they are very many, and how many more there are', () => {
    const names = Array.from({ length: 1000 }, (_, at) => `name_${at}`)
    const text = listed(names)
    expect(text).to.match(/^name_0, name_1, .*, name_(\d+) and \d+ more$/)
    expect(text.length).to.be.within(1900, 2020)
    const [last = '', more] = text.split(' and ')
    expect(last.split(', ').length + Number.parseInt(more ?? '', 10)).to.equal(1000)
  })
})
