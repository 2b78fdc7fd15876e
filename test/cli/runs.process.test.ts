import { join } from 'node:path'
import { expect } from 'chai'
import { braidwork } from './command.ts'
import { eachServedFolder, post, type ServedFolder } from './serving.ts'

describe('braidwork runs', () => {
  let made: ServedFolder
  eachServedFolder((given) => {
    made = given
  })

  it('LR-18 explains and replays a run after the server has stopped', async () => {
    const store = join(made.folder, 'stored.db')
    const put = ['enabled_plugins=["instructions"]', 'settings.instructions.text=Be brief.']
    const server = made.begin({ store }, ...put.flatMap((one) => ['--set', one]))
    const body = { model: 'quick', input: 'hello', store: true, stream: true }
    const answer = await post(await server.address(), '/v1/responses', body)
    const told = await answer.text()
    const id = answer.headers.get('x-run-id') ?? ''
    await server.stop('SIGTERM')
    const runs = (...words: readonly string[]) =>
      braidwork(['runs', ...words, '--set', `server.store=${store}`], { cwd: made.folder })

    const explained = await runs('explain', id)
    expect(explained.status, explained.err).to.equal(0)
    expect(explained.out).to.include(`run ${id} of quick`).and.include('ended: natural_end')
    expect(explained.out).to.include(
      '  context in: instructions settings.instructions.text by instructions\n',
    )
    const asJson = JSON.parse((await runs('explain', id, '--json')).out) as { run: { id: string } }
    expect(asJson.run.id).to.equal(id)
    const replayed = await runs('replay', id, '--protocol', 'responses')
    expect(replayed.out).to.equal(told)
    const events = (await runs('replay', id)).out.trim().split('\n')
    expect(events.map((line) => (JSON.parse(line) as { seq: number }).seq)).to.deep.equal([
      ...events.keys(),
    ])
    const foreign = await runs('explain', id, '--owner', 'bob')
    expect(foreign.status).to.not.equal(0)
    expect(foreign.err).to.include('RUN_UNKNOWN')
  })

  it('refuses to replay a run in a protocol that there is not, and names those that there are', async () => {
    for (const protocol of ['foo', '']) {
      const { status, err } = await braidwork(
        ['runs', 'replay', 'any', '--protocol', protocol, '--set', 'server.store=none.db'],
        { cwd: made.folder },
      )
      expect(status).to.equal(2)
      expect(err).to.include('--protocol must be one of ui-message-stream, ag-ui,')
    }
  })
})
