import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { eachServedFolder, post, type ServedFolder } from './serving.ts'

const MESSAGES = [{ role: 'user', content: 'count' }]

describe('braidwork serve', function () {
  this.timeout(60_000)
  let begin: ServedFolder['begin']
  eachServedFolder((made) => {
    ;({ begin } = made)
  })

  it('answers others while as many connections as may be are idle', async () => {
    const program = begin()
    const address = await program.address()
    const port = Number(new URL(address).port)
    const sockets: Socket[] = []
    let refusal = ''
    while (sockets.length < 10_000 && refusal === '') {
      const some = Array.from({ length: 250 }, () => connect(port, '127.0.0.1'))
      sockets.push(...some)
      await Promise.all(
        some.map((socket) =>
          once(socket, 'connect').catch((error: Error) => {
            refusal = error.message
          }),
        ),
      )
    }
    const open = sockets.filter(({ destroyed }) => !destroyed).length
    process.stderr.write(`      ${open} idle connections${refusal && `, then: ${refusal}`}\n`)
    for (const socket of sockets) socket.on('error', () => undefined)
    const at = performance.now()
    const answer = await post(address, '/v1/chat/completions', {
      model: 'quick',
      messages: MESSAGES,
    })
    expect(await answer.text()).to.include('number 60')
    expect(performance.now() - at).to.be.below(5000)
    expect(open).to.be.at.least(Math.min(10_000, 500))
    for (const socket of sockets) socket.destroy()
    expect((await program.stop('SIGTERM')).status).to.equal(0)
  })
})
