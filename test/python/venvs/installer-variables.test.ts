import { expect } from 'chai'
import { installerVariables, withheld } from '../../../src/python/venvs/installer-variables.ts'

const ROUTES = {
  HTTP_PROXY: 'http://proxy.test',
  HTTPS_PROXY: 'http://proxy.test',
  ALL_PROXY: 'http://proxy.test',
  no_proxy: 'local.test',
  SSL_CERT_FILE: '/certificate',
  SSL_CERT_DIR: '/certificates',
  REQUESTS_CA_BUNDLE: '/certificate',
  CURL_CA_BUNDLE: '/certificate',
  PIP_INDEX_URL: 'https://index.test/simple',
  UV_INDEX: 'https://index.test/simple',
}

describe('the variables of an installer', () => {
  it('have all that lead to a package registry', () => {
    expect(installerVariables(ROUTES, [])).to.include(ROUTES)
  })

  it('have no others, unless they are named', () => {
    const others = { OPENAI_API_KEY: 'sesame', MY_SETTING: 'x' }
    expect(installerVariables(others, [])).to.not.have.any.keys(others)
    expect(installerVariables(others, ['MY_SETTING'])).to.include({ MY_SETTING: 'x' })
  })

  it('have no values that may contain a password, which are told instead', () => {
    const secret = {
      PIP_PASSWORD: 'sesame',
      UV_INDEX_INTERNAL_USERNAME: 'ada',
      PIP_INDEX_URL: 'https://ada:sesame@index.test/simple',
      HTTPS_PROXY: 'http://proxy.test?key=sesame',
    }
    expect(installerVariables(secret, [])).to.not.have.any.keys(secret)
    expect(withheld({ ...secret, PIP_PROXY: undefined, MY_PASSWORD: 'x' }, [])).to.have.members(
      Object.keys(secret),
    )
    expect(withheld(secret, Object.keys(secret))).to.deep.equal([])
  })
})
