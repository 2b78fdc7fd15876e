import { expect } from 'chai'
import { didYouMean, nearest } from '../src/suggest.ts'

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
