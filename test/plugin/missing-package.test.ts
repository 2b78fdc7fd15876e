import { expect } from 'chai'
import { HostError } from '../../src/plugin/errors.ts'
import { toMissingPackage } from '../../src/plugin/missing-package.ts'

function failure(message: string, code = 'ERR_MODULE_NOT_FOUND'): Error {
  return Object.assign(new Error(message), { code })
}

describe('the error about a package that is not installed', () => {
  for (const [message, name] of [
    ["Cannot find package 'pg' imported from /app/index.js", 'pg'],
    ["Cannot find package '@scope/some.thing' imported from /app/index.js", '@scope/some.thing'],
    ["Cannot find module 'pg/lib/x.js'", 'pg'],
    ["Cannot find module '@scope/deep/inner/x.js'\nRequire stack:", '@scope/deep'],
    ["Cannot find module 'better-sqlite3'", 'better-sqlite3'],
  ] as const) {
    it(`names the package in: ${message.split('\n')[0]}`, () => {
      const cause = failure(message)
      const error = toMissingPackage(cause, 'The command needs')
      expect(error).to.be.instanceOf(HostError)
      expect(error).to.include({
        code: 'PACKAGE_MISSING',
        message: `The command needs the package "${name}", which is not installed. Run "npm install ${name}".`,
        cause,
      })
    })
  }

  it('stays what it is where no package is missing', () => {
    const others = [
      failure("Cannot find module './own.js'"),
      failure("Cannot find module '/app/own.js' imported from /app/index.js"),
      failure("Cannot find package 'pg'", 'EACCES'),
      new Error("Cannot find package 'pg'"),
      "Cannot find package 'pg'",
    ]
    for (const other of others) expect(toMissingPackage(other, 'It needs')).to.equal(other)
  })
})
