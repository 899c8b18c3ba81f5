import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { mistakesOf } from '../support/settings.ts'

// With a week between attempts and NUQTA_RETENTION_DAYS=1, the month of an event was dropped while the event was still to be sent: the
// delivery failed as "not sent: the event is not kept any more".

const week_s = 604_800
const settings = (days: number, delays: string) => ({
  NUQTA_RETENTION_DAYS: String(days),
  NUQTA_WEBHOOK_RETRY_DELAYS_S: delays,
})

describe('events are kept for as long as they are sent', () => {
  // Three waits, each 20 % longer, and the attempts.
  it.each([
    [25, `${week_s},${week_s},${week_s}`, 26],
    [8, `${week_s}`, 9],
    [1, '10,100,86400', 2],
  ])('%i days are too few for the delays %s', (days, delays, needed) => {
    expect(mistakesOf({ env: settings(days, delays), cwd: '/' })).toEqual([
      `NUQTA_RETENTION_DAYS must be at least ${needed}: with these NUQTA_WEBHOOK_RETRY_DELAYS_S a delivery is tried for so many days`,
    ])
    expect(loadConfig({ env: settings(needed, delays), cwd: '/' }).retention_days).toBe(needed)
  })

  it('one day is enough for the default, even where receivers ask for longer waits', () => {
    expect(loadConfig({ env: { NUQTA_RETENTION_DAYS: '1' }, cwd: '/' }).retention_days).toBe(1)
  })

  it('commands, which drop nothing, accept all', () => {
    const env = settings(1, `${week_s}`)
    expect(loadConfig({ env, cwd: '/', purpose: 'command' }).retention_days).toBe(1)
  })
})
