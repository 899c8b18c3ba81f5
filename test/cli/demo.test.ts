import { describe, expect, it } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { nuqta, scratch } from './command.ts'

// `test/features/demo/year.test.ts` checks the year itself; here are the command's words and refusals.

const database = testDatabase({ leaves: ['open holds', 'due messages', 'due payment tasks'] })
const { path: cwd } = scratch()
const run = (...args: string[]) =>
  nuqta(args, { cwd, env: { DATABASE_URL: database.url, NUQTA_MIGRATION_URL: database.owner_url } })
const change = (text: string) => database.owner.run({ text, values: [] })
const small = ['demo', '--orders', '60', '--months', '6']

describe('nuqta demo', () => {
  it('refuses a program that it did not create', async () => {
    expect((await run('program', 'create', 'Waha Rewards')).code).toBe(0)
    const { code, stderr } = await run(...small)
    expect([code, stderr]).toEqual([
      1,
      'There is a program named Waha Rewards already that nuqta demo did not make: use another data directory.\n',
    ])
    await change("update program set name = 'Another' where name = 'Waha Rewards'")
  })

  it('reports what it adds, prints one object, and adds nothing the second time', async () => {
    const first = await run(...small, '--seed', '5', '--as', 'Sara', '--json')
    expect([first.code, first.json]).toEqual([
      0,
      [
        {
          ...{ programs: 2, merchants: 7, customers: expect.any(Number), orders: expect.any(Number) },
          ...{ points_issued: expect.any(Number), points_redeemed: expect.any(Number), seed: 5, months: 6 },
          ...{ complete: true, seconds: expect.any(Number) },
        },
      ],
    ])
    expect(first.stderr).toBe(
      'Adding two programs with seven shops of their own, and 60 orders of 6 months (seed 5). Nothing else changes.\n' +
        'Its shops get no webhooks: their secrets need NUQTA_SECRET_KEY.\n',
    )
    // Whoever shows a sandbox names its programs and shops anew.
    await change("update program set name = 'Mall Points' where name = 'Waha Rewards'")
    await change("update merchant set name = 'Roastery' where name = 'محمصة نواة'")
    const second = await run(...small)
    expect([second.code, second.stderr]).toEqual([0, ''])
    expect(second.stdout).toMatch(/^The sandbox had its year already, and nothing was added: 2 programs, 7 merchants, /)
    expect((await run('ledger', 'verify', '--figures', '--json')).json).toEqual([
      expect.objectContaining({ differences: [] }),
    ])
  })

  it('is recorded: who started it with which options, the settlements, and its end', async () => {
    const { json } = await run('audit', 'list', '--json')
    const begins = json.findIndex(({ action }) => action === 'demo.begin')
    const between = json.slice(1, begins)
    expect(json.slice(0, begins + 1).map(({ by }) => by)).toEqual(Array.from({ length: begins + 1 }, () => 'Sara'))
    expect(json[0]?.['action']).toBe('demo.complete')
    expect(between.length).toBeGreaterThan(0)
    expect(new Set(between.map(({ action }) => action))).toEqual(new Set(['settlement.close', 'settlement.exclude']))
    expect(json[begins]?.['after']).toMatchObject({ seed: 5, orders: 60, months: 6 })
  })

  it('refuses production and wrong numbers', async () => {
    expect(await run('demo', '--orders', '0')).toMatchObject({ code: 2, stdout: '' })
    expect(await run('demo', '--months', '37')).toMatchObject({ code: 2, stdout: '' })
    await change("update deployment set environment = 'production'")
    const { code, stderr } = await run(...small)
    expect([code, stderr]).toEqual([
      1,
      'nuqta demo invents customers and orders: it fills a sandbox only, and this is production.\n',
    ])
  })
})
