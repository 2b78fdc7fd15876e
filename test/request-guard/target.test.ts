import { expect } from 'chai'
import { checkTarget, GuardError, type Resolve } from '../../src/request-guard/index.ts'

const never = () => new AbortController().signal
const CLOSED = { allow_loopback: false }

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => expect.fail('it was allowed'),
    (thrown: unknown) => thrown,
  )
  expect(error).to.be.instanceOf(GuardError)
  return (error as Error).message
}

describe('the target of a request', () => {
  it('is looked up once, and the connection goes to what was found', async () => {
    let count = 0
    const resolve = async () => {
      count++
      return [{ address: count === 1 ? '93.184.216.34' : '127.0.0.1', family: 4 }]
    }
    const target = await checkTarget('https://a.example.org/', CLOSED, never(), resolve)
    expect(target.addresses).to.deep.equal([{ address: '93.184.216.34', family: 4 }])
    expect(count).to.equal(1)
  })

  it('is refused with all its addresses if one of them is not public', async () => {
    const mixed: Resolve = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]
    const url = 'https://a.example.org/'
    expect(await refusalOf(checkTarget(url, CLOSED, never(), mixed))).to.include(
      'not on the public',
    )
    const open = { ...CLOSED, allow_private: true }
    expect((await checkTarget(url, open, never(), mixed)).addresses).to.have.length(2)
  })

  it('is refused by its name where that means this machine or the local network', async () => {
    const resolve: Resolve = async () => [{ address: '93.184.216.34', family: 4 }]
    for (const host of ['localhost', 'printer', 'db.internal', 'nas.local']) {
      const refusal = await refusalOf(checkTarget(`http://${host}/`, CLOSED, never(), resolve))
      expect(refusal, host).to.include('not on the public internet')
    }
  })

  it('is no other scheme, and has no user name', async () => {
    for (const url of ['file:///etc/passwd', 'ftp://a.example.org', 'https://u:p@a.example.org']) {
      expect(await refusalOf(checkTarget(url, CLOSED, never())), url).to.include(
        'cannot be fetched',
      )
    }
  })

  it('is given up when the signal of its caller aborts', async () => {
    const caller = new AbortController()
    const hanging: Resolve = () => new Promise(() => undefined)
    const checking = checkTarget('https://a.example.org/', CLOSED, caller.signal, hanging)
    caller.abort(new Error('enough'))
    expect(await checking.catch((thrown: Error) => thrown.message)).to.equal('enough')
  })
})
