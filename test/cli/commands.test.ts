import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { freePort } from '../support/port.ts'
import { waitFor } from '../support/wait.ts'
import { call, earn, nuqta, runningService } from './command.ts'

// No test waits for the invitation that an earning sends.
const { cwd, env, client, run } = runningService({ leaves: ['due messages'] })

describe('merchants', () => {
  test('one command makes a thousand, each with keys that work once it may earn', async () => {
    const { code, json } = await run('merchant', 'create', '--name', 'Shop', '--count', '1000', '--json')
    expect(code).toBe(0)
    expect(json).toHaveLength(1000)
    expect(json[0]).toEqual({
      merchant_id: expect.any(Number),
      program_id: 1,
      name: 'Shop 1',
      public_key: expect.stringMatching(/^pk_test_[0-9a-z]{26}$/),
      private_key: expect.stringMatching(/^sk_test_[0-9a-z]{26}$/),
    })
    expect(new Set(json.map(({ private_key }) => private_key)).size).toBe(1000)
    const key = String(json[999]?.['private_key'])
    expect(await earn(client(), key)).toMatchObject({ status: 403 })
    await run('merchant', 'set', 'Shop 1000', '--verified', 'on', '--published', 'on')
    expect(await earn(client(), key)).toMatchObject({ status: 200 })
  })

  test('applies a change to the next request', async () => {
    const created = await run('merchant', 'create', '--name', 'Tea House', '--verified', '--published', '--json')
    const [merchant] = created.json
    const key = String(merchant?.['private_key'])
    expect((await earn(client(), key)).body.data).toMatchObject({ total_points: 100 })
    const changes = ['--points-per-sar', '2.5', '--product-rating-points', '7', '--store-rating-points', '8']
    const more = ['--refund-window-days', '14', '--checkout', 'off', '--payment', 'merchant']
    const set = await run('merchant', 'set', 'Tea House', ...changes, ...more, '--json')
    expect(set.json).toEqual([
      {
        merchant_id: merchant?.['merchant_id'],
        program_id: 1,
        name: 'Tea House',
        name_ar: null,
        verified: true,
        published: true,
        key_status: true,
        integration_active: true,
        flows: { earning: true, product_rating: true, store_rating: true, checkout: false },
        points_per_sar: 2.5,
        product_rating_points: 7,
        store_rating_points: 8,
        return_hosts: [],
        signed_checkouts: false,
        suspended_reason: null,
        refund_window_days: 14,
        payment_provider: 'merchant',
        payment_flow: 'sale',
        payment_methods: [],
        public_key: merchant?.['public_key'],
      },
    ])
    expect((await run('merchant', 'show', String(merchant?.['merchant_id']), '--json')).json).toEqual(set.json)
    expect((await earn(client(), key)).body.data).toMatchObject({ total_points: 25 })
    await run('merchant', 'set', 'Tea House', '--earning', 'off')
    expect(await earn(client(), key)).toMatchObject({ status: 403 })
    await run('merchant', 'set', 'Tea House', '--earning', 'on', '--key-status', 'off')
    expect(await earn(client(), key)).toMatchObject({ status: 400 })
    await run('merchant', 'set', 'Tea House', '--key-status', 'on')
    expect(await earn(client(), key)).toMatchObject({ status: 200 })
  })

  test('refuses the name of two merchants, with their ids; takes a number as an id', async () => {
    const first = (await run('merchant', 'create', '--name', 'Twin', '--json')).json[0]?.['merchant_id']
    const second = (await run('merchant', 'create', '--name', 'Twin', '--json')).json[0]?.['merchant_id']
    const refused = await run('merchant', 'show', 'Twin')
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toBe(`2 merchants are called Twin: name one by its id (${first}, ${second}).\n`)
    expect(await run('merchant', 'show', String(second))).toMatchObject({ code: 0 })
    expect(await run('merchant', 'show', 'Nobody')).toMatchObject({ code: 1 })
  })

  test('creates a named program when it is new, with the sandbox identities', async () => {
    const made = await run('merchant', 'create', '--name', 'Mall Shop', '--program', 'Mall', '--json')
    expect(made.json[0]?.['program_id']).not.toBe(1)
    const wallet = await run('wallet', 'show', '+966 50 000 0001', '--program', 'Mall', '--json')
    expect(wallet.json).toEqual([
      { phone: '500000001', customer_status: 'active', posted: 10_000, held: 0, available: 10_000 },
    ])
    const listed = (await run('merchant', 'list', '--json')).json
    expect(listed[0]).toMatchObject({ name: 'Mall Shop', program_id: made.json[0]?.['program_id'] })
  })
})

describe('keys', () => {
  test('new keys replace the old ones at once, also in sandbox.env', async () => {
    const old = client()
    const { code, json } = await run('keys', 'regenerate', 'Demo Store', '--json')
    expect(code).toBe(0)
    expect(Object.keys(json[0] ?? {})).toEqual(['merchant_id', 'public_key', 'private_key'])
    expect(json[0]?.['public_key']).toBe(old.NUQTA_PUBLIC_KEY)
    expect(await earn(old)).toMatchObject({ status: 400, body: { message: 'Invalid or inactive API key' } })
    expect(client().NUQTA_PRIVATE_KEY).toBe(json[0]?.['private_key'])
    expect(client().NUQTA_BASE_URL).toBe(old.NUQTA_BASE_URL)
    expect(await earn(client())).toMatchObject({ status: 200 })
    expect(statSync(join(cwd, 'data/sandbox.env')).mode & 0o777).toBe(0o600)
  })

  test('the public key is replaced too on request', async () => {
    const old = client()
    const { json } = await run('keys', 'regenerate', 'Demo Store', '--public', '--json')
    expect(json[0]?.['public_key']).not.toBe(old.NUQTA_PUBLIC_KEY)
    expect(client().NUQTA_PUBLIC_KEY).toBe(json[0]?.['public_key'])
    expect(await earn(client())).toMatchObject({ status: 200 })
  })

  test('a pair that is switched off stays off when it is replaced', async () => {
    await run('merchant', 'create', '--name', 'Closed', '--verified', '--published')
    await run('merchant', 'set', 'Closed', '--key-status', 'off')
    const key = String((await run('keys', 'regenerate', 'Closed', '--json')).json[0]?.['private_key'])
    expect(await earn(client(), key)).toMatchObject({ status: 400 })
  })
})

describe('programs', () => {
  test('are created, listed and changed', async () => {
    const made = await run('program', 'create', 'Coalition', '--json')
    const program_id = made.json[0]?.['program_id']
    const nobody = { operator_name: null, operator_contact: null }
    const rates = expect.any(Array)
    const others = {
      ...{ remembered_limit: 1_000, fee_earn: 0, fee_redeem: 0, fee_vat: 15 },
      ...{ two_person_rates: false, two_person_settlements: false, two_person_adjustments_over: null },
    }
    const settings = { activation: 'automatic', sar_per_point: 0.005, locale: 'en', ...nobody, ...others, rates }
    expect(made.json).toEqual([{ program_id, name: 'Coalition', ...settings }])
    expect(await run('program', 'create', 'Coalition')).toMatchObject({ code: 1 })
    const operator = ['--operator-name', 'Mall Company', '--operator-contact', 'help@mall.example']
    const options = ['--activation', 'required', '--sar-per-point', '0.01', '--locale', 'ar', ...operator]
    const named = { operator_name: 'Mall Company', operator_contact: 'help@mall.example' }
    const changed = {
      ...{
        program_id,
        name: 'Coalition',
        activation: 'required',
        sar_per_point: 0.01,
        locale: 'ar',
        ...named,
        ...others,
        rates,
      },
    }
    expect((await run('program', 'set', 'Coalition', ...options, '--json')).json).toEqual([changed])
    const listed = (await run('program', 'list', '--json')).json
    expect(listed.at(-1)).toMatchObject({ name: 'Default' })
    expect(listed).toContainEqual(changed)
    expect(await run('program', 'set', 'Nobody', '--locale', 'ar')).toMatchObject({ code: 1 })
    const unnamed = await run('program', 'set', 'Coalition', '--operator-name', 'none', '--json')
    expect(unnamed.json).toEqual([{ ...changed, operator_name: null }])
    expect(await run('program', 'set', 'Coalition', '--operator-name', 'two\nlines')).toMatchObject({ code: 2 })
  })

  test('name the day on which a rate begins', async () => {
    await run('program', 'create', 'Oasis')
    const begins_on = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
    const set = (...options: string[]) => run('program', 'set', 'Oasis', ...options)
    expect(await set('--sar-per-point', '0.02', '--from', begins_on)).toMatchObject({ code: 0 })
    expect((await run('program', 'show', 'Oasis', '--json')).json[0]).toMatchObject({
      sar_per_point: 0.005,
      rates: [{ begins_on, sar_per_point: 0.02 }, { sar_per_point: 0.005 }],
    })
    const { stdout } = await run('program', 'list')
    expect(stdout).toContain(`Oasis  (automatic, 0.005 SAR a point, 0.02 from ${begins_on}, en)`)
    expect(await set('--from', begins_on)).toMatchObject({ code: 2 })
    expect(await set('--sar-per-point', '0.02', '--from', '2027-02-30')).toMatchObject({ code: 2 })
    expect(await set('--sar-per-point', '0.02', '--from', '2026-01-01')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The day 2026-01-01 of --from is over in Riyadh'),
    })
  })

  test('only propose a change that needs a second person, whoever runs the command', async () => {
    await run('program', 'create', 'Orchard')
    const set = (...options: string[]) => run('program', 'set', 'Orchard', ...options)
    const two = ['--two-person-rates', 'on', '--two-person-adjustments-over', '50', '--remembered-limit', '0']
    expect((await set(...two, '--fee-redeem', '2.5', '--json')).json[0]).toMatchObject({
      ...{ two_person_rates: true, two_person_adjustments_over: 50, remembered_limit: 0, fee_redeem: 2.5, fee_vat: 15 },
    })
    const change = { micro_sar_per_point: 20_000 }
    const proposed = await set('--sar-per-point', '0.02', '--as', 'Sara', '--json')
    expect(proposed.json).toMatchObject([
      { sar_per_point: 0.005 },
      { kind: 'program.rate', state: 'open', proposed_by: 'Sara', change },
    ])
    const said = await set('--two-person-rates', 'off', '--two-person-adjustments-over', 'off')
    expect(said.stdout).toContain('This waits for a second person, who confirms it in the dashboard:')
    const phone = ['500000001', '900', '--reason', 'A gift', '--program', 'Orchard', '--json']
    const adjusted = (await run('wallet', 'adjust', ...phone)).json
    expect(adjusted).toMatchObject([{ kind: 'wallet.adjust', change: { points: 900 }, reason: 'A gift' }])
    const list = async (...options: string[]) =>
      (await run('proposal', 'list', '--program', 'Orchard', ...options)).stdout
    expect((await list('--open')).trim().split('\n')).toHaveLength(3)
    expect(await list('--limit', '1')).toContain('wallet.adjust: points 900')
    const uuid = String(adjusted[0]?.['proposal_uuid'])
    expect((await run('proposal', 'show', uuid, '--program', 'Orchard', '--json')).json).toEqual(adjusted)
    expect(await run('proposal', 'show', uuid)).toMatchObject({ code: 1 })
    expect(await run('proposal', 'confirm', uuid)).toMatchObject({ code: 2 })
    expect(await set('--fee-vat', '0.001')).toMatchObject({ code: 2 })
  })

  test('answer an unknown phone with the pending payload when activation is required', async () => {
    await run('program', 'create', 'Careful')
    await run('program', 'set', 'Careful', '--activation', 'required')
    const options = ['--name', 'Careful Shop', '--program', 'Careful', '--verified', '--published']
    const [merchant] = (await run('merchant', 'create', ...options, '--json')).json
    const reply = await earn(client(), String(merchant?.['private_key']))
    expect(reply.body.data).toMatchObject({ pending_client_activation: true })
    const wallet = await run('wallet', 'show', '0533333333', '--program', 'Careful', '--json')
    expect(wallet.json[0]).toMatchObject({ customer_status: 'invited', posted: 0 })
  })
})

describe('the sandbox clock', () => {
  afterAll(async () => {
    await run('clock', 'reset')
  })

  test('moves the dates of a running service, and back', async () => {
    const advanced = (await run('clock', 'advance', '45d', '--json')).json[0]
    expect(advanced).toEqual({ now: expect.any(String), offset_s: 45 * 86_400 })
    const expected = new Date(Date.now() + 45 * 86_400_000).toISOString().slice(0, 10)
    await waitFor('the service to follow', async () => {
      const order = (await earn(client())).body.data
      return String(order?.['created_at']).slice(0, 10) === expected
    })
    expect((await run('clock', 'show', '--json')).json[0]).toMatchObject({ offset_s: 45 * 86_400 })
    expect((await run('clock', 'advance', '1d12h', '--json')).json[0]).toMatchObject({ offset_s: 46.5 * 86_400 })
    // The offset is in whole seconds. Rounded, it showed the day before half of the time.
    for (let time = 0; time < 3; time += 1) {
      const set = (await run('clock', 'set', '2031-05-06T00:00:00Z', '--json')).json[0]
      expect(String(set?.['now'])).toMatch(/^2031-05-06T00:00:0/)
    }
    expect((await run('clock', 'reset', '--json')).json[0]).toMatchObject({ offset_s: 0 })
    await waitFor('the clock', async () => {
      const created_at = String((await earn(client())).body.data?.['created_at'])
      return Math.abs(Date.parse(created_at) - Date.now()) < 5_000
    })
  })

  test('is not moved where no service could follow', async () => {
    expect(await run('clock', 'advance', '999999999d')).toMatchObject({ code: 1 })
    // Nobody could name the days there: a period, a rate or a report of them was refused as no day.
    expect(await run('clock', 'advance', '400000d')).toMatchObject({ code: 1 })
    expect(await run('clock', 'set', 'tomorrow')).toMatchObject({ code: 2 })
    expect(await run('clock', 'advance', '5')).toMatchObject({ code: 2 })
  })
})

describe('the ledger', () => {
  test('verifies clean beside a running service', async () => {
    const { code, json } = await run('ledger', 'verify', '--json')
    expect(json).toEqual([
      { transfers: expect.any(Number), entries: expect.any(Number), wallets: expect.any(Number), differences: [] },
    ])
    expect(code).toBe(0)
  })
})

describe('the doctor', () => {
  test('reports a running deployment as fine, with one line for each check', async () => {
    // Another service may be on the usual port of this machine.
    const own = { ...env, NUQTA_PORT: String(await freePort()) }
    const { code, json, stderr } = await nuqta(['doctor', '--json'], { cwd, env: own })
    expect(json.filter(({ ok }) => ok !== true)).toEqual([])
    const checks = ['node', 'user', 'settings', 'data directory', 'disk', 'database', 'clock', 'owner', 'migrations']
    expect(json.map(({ check }) => check)).toEqual([...checks, 'environment', 'secret key', 'port', 'certificate'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  test('reports what is wrong and what to do', async () => {
    const wrong = { NUQTA_PROT: '1', NUQTA_ENVIRONMENT: 'production' }
    const { code, stdout } = await nuqta(['doctor'], { cwd, env: { ...env, ...wrong } })
    expect(code).toBe(1)
    expect(stdout).toContain('problem  settings: 4 to correct')
    expect(stdout).toContain('NUQTA_PROT is not a setting; did you mean NUQTA_PORT?')
  })
})

describe('the description of the API', () => {
  test('is printed as the service serves it', async () => {
    const { json } = await run('openapi', '--json')
    const served = await call(client(), { path: '/api/openapi.json' })
    expect(json).toEqual([served.body])
  })
})

describe('wrong use', () => {
  const table: readonly (readonly [args: string[], text: RegExp])[] = [
    [[], /Usage: nuqta/],
    [['merchant'], /Usage: nuqta merchant/],
    [['frobnicate'], /unknown command/],
    [['merchant', 'show'], /missing required argument/],
    [['merchant', 'create'], /required option/],
    [['merchant', 'create', '--name', 'x', '--count', '0'], /whole number from 1/],
    [['merchant', 'set', 'Demo Store'], /Nothing to set/],
    [['merchant', 'set', 'Demo Store', '--verified', 'yes'], /on, off/],
    [['merchant', 'set', 'Demo Store', '--points-per-sar', '0.12345'], /four decimals/],
    [['program', 'set', 'Default'], /Nothing to set/],
    [['ledger', 'verify', '--fast'], /unknown option/],
    [['serve', '--port', 'abc'], /NUQTA_PORT must be a whole number/],
  ]
  test.each(table)('%j', async (args, text) => {
    const { code, stdout, stderr } = await run(...args)
    expect(stderr).toMatch(text)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  test('help exits with 0 and shows examples', async () => {
    const { code, stdout } = await run('merchant', 'create', '--help')
    expect(code).toBe(0)
    expect(stdout).toContain('Examples:\n  $ nuqta merchant create')
  })

  test('a command in the wrong folder creates no database there', async () => {
    const { code, stderr } = await nuqta(['merchant', 'list', '--data-dir', 'elsewhere'], { cwd })
    expect(code).toBe(1)
    expect(stderr).toContain('There is no database in')
    expect(existsSync(join(cwd, 'elsewhere'))).toBe(false)
  })

  test('migrate --citus is refused without a Citus cluster', async () => {
    const { code, stderr } = await run('migrate', '--citus')
    expect(code).toBe(1)
    expect(stderr).toContain('has no citus extension')
  })

  // It made and migrated a database, and then advised to run `create extension citus` on every node of it.
  test('migrate --citus makes no embedded database, which can be no cluster', async () => {
    const { code, stderr } = await nuqta(['migrate', '--citus', '--data-dir', 'elsewhere'], { cwd })
    expect([code, stderr]).toEqual([
      1,
      'The embedded PostgreSQL has no Citus: name the coordinator of your cluster in DATABASE_URL.\n',
    ])
    expect(existsSync(join(cwd, 'elsewhere'))).toBe(false)
  })
})
