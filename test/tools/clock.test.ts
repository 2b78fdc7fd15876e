import { expect } from 'chai'
import type { Config, ToolOutput } from '../../src/plugin/index.ts'
import clock from '../../tools/clock/index.ts'
import { errorOf } from '../helpers/plugins.ts'

const NOON = '2026-11-21T12:00:00Z'

function execute(input: unknown, settings: object): ToolOutput {
  const config: Config = { settings: { clock: { ...settings } } }
  const state = clock.init(config)
  return clock.executeTool({ callId: 'c', name: 'current_time', input }, state) as ToolOutput
}

describe('clock', () => {
  it('tells date, time and weekday of the zone that it is set to', () => {
    expect(execute({}, { now: NOON, time_zone: 'Europe/Berlin' })).to.deep.equal({
      output: {
        iso: '2026-11-21T13:00:00+01:00',
        date: '2026-11-21',
        time: '13:00:00',
        weekday: 'Saturday',
        time_zone: 'Europe/Berlin',
        unix: 1795262400,
      },
    })
  })

  const zones: readonly [zone: string, iso: string, weekday: string][] = [
    ['UTC', '2026-11-21T12:00:00Z', 'Saturday'],
    ['Asia/Tokyo', '2026-11-21T21:00:00+09:00', 'Saturday'],
    ['Asia/Kathmandu', '2026-11-21T17:45:00+05:45', 'Saturday'],
    ['America/New_York', '2026-11-21T07:00:00-05:00', 'Saturday'],
    ['Pacific/Kiritimati', '2026-11-22T02:00:00+14:00', 'Sunday'],
  ]
  for (const [zone, iso, weekday] of zones) {
    it(`knows ${zone}`, () => {
      expect(execute({ time_zone: zone }, { now: NOON }).output).to.include({
        iso,
        weekday,
        time_zone: zone,
      })
    })
  }

  it('knows midnight as 00, and summer time', () => {
    const { output } = execute({ time_zone: 'Europe/Berlin' }, { now: '2026-06-30T22:00:00Z' })
    expect(output).to.include({ iso: '2026-07-01T00:00:00+02:00', time: '00:00:00' })
  })

  it('goes on, where no time is set', () => {
    const before = Math.floor(Date.now() / 1000)
    const { unix, time_zone } = execute({}, {}).output as { unix: number; time_zone: string }
    expect(unix).to.be.within(before, before + 60)
    expect(time_zone).to.equal(new Intl.DateTimeFormat().resolvedOptions().timeZone)
  })

  it('says so where it does not know a zone', () => {
    for (const zone of ['Mars/Olympus', '', 7]) {
      expect(execute({ time_zone: zone }, { now: NOON })).to.deep.equal({
        output: `${JSON.stringify(zone)} is not a known time zone; use an IANA name such as "Europe/Berlin".`,
        isError: true,
      })
    }
  })

  const faults: readonly [settings: object, pointer: string, message: string][] = [
    [
      { time_zone: 'Mars/Olympus' },
      '/settings/clock/time_zone',
      '"Mars/Olympus" is not a known time zone',
    ],
    [{ time_zone: 7 }, '/settings/clock/time_zone', '7 is not a known time zone'],
    [{ now: 'noon' }, '/settings/clock/now', '"noon" is not a valid time'],
    [{ now: '2026-13-01' }, '/settings/clock/now', '"2026-13-01" is not a valid time'],
  ]
  for (const [settings, pointer, message] of faults) {
    it(`refuses the settings ${JSON.stringify(settings)}`, async () => {
      const error = await errorOf(() => execute({}, settings))
      expect(error).to.include({ code: 'SETTINGS_INVALID', pointer })
      expect(error.message).to.include(message)
    })
  }
})
