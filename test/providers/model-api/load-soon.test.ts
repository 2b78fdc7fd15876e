import { expect } from 'chai'
import { loadingSoon } from '../../../providers/model-api/load-soon.ts'

describe('the code of the requests of a provider', () => {
  it('is loaded a moment after a config has selected the provider, and once', async () => {
    let loads = 0
    const getTags = await new Promise<ReturnType<typeof loadingSoon>>((resolve) => {
      const hook = loadingSoon(
        (_, models) => models,
        () => {
          loads++
          resolve(hook)
          return [Promise.reject(new Error('no file descriptors'))]
        },
      )
      expect(hook({}, ['one'])).to.deep.equal(['one'])
      expect(loads).to.equal(0)
      hook({}, [])
    })
    getTags({}, [])
    expect(loads).to.equal(1)
  })
})
