import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dashboardRoutes } from '../../src/dashboard-routes.ts'
import type { Role } from '../../src/domain/staff.ts'
import { csrfOf } from '../../src/features/staff/sessions.ts'
import { errorTable } from '../../src/http/api/errors.ts'
import { createBodyBudgets } from '../../src/http/transport/body-budget.ts'
import { type App, makeMerchant, startApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson } from '../support/staff.ts'

// Every role calls every route of the dashboard about every kind of merchant. The table below is written by hand: a
// permission that changes by mistake fails here. A new route needs no change of this file.

type Who = Role | 'operator' | 'nobody'
const everybody: readonly Who[] = ['nobody', 'read_only', 'support', 'manager', 'owner', 'operator']
const places = ['own', 'of others', 'of another program', 'unknown'] as const
type Place = (typeof places)[number]

const may: Readonly<Record<string, readonly Who[]>> = {
  anyone: everybody,
  signed_in: ['read_only', 'support', 'manager', 'owner', 'operator'],
  operator: ['operator'],
  view: ['read_only', 'support', 'manager', 'owner', 'operator'],
  handle_orders: ['support', 'manager', 'owner', 'operator'],
  adjust_wallets: ['support', 'manager', 'owner', 'operator'],
  change_settings: ['manager', 'owner', 'operator'],
  read_audit: ['manager', 'owner', 'operator'],
  change_keys: ['owner', 'operator'],
  manage_team: ['owner', 'operator'],
}

const database = testDatabase()
let app: App
let shop: Pick<Awaited<ReturnType<typeof makeMerchant>>, 'program_id' | 'merchant_id'>
/** None of them may be logged. */
const secrets: string[] = []
let merchants: Readonly<Record<Place, number>>
/** The program that a request names, beside the merchant. */
let programs: Readonly<Record<Place, number>>

beforeAll(async () => {
  const own = await makeMerchant(database.db)
  const { program_id } = own
  merchants = {
    own: own.merchant_id,
    'of others': (await makeMerchant(database.db, { program_id })).merchant_id,
    'of another program': (await makeMerchant(database.db)).merchant_id,
    unknown: 999_999_999,
  }
  programs = {
    own: program_id,
    'of others': program_id,
    'of another program': program_id,
    unknown: 999_999_999,
  }
  shop = own
  app = await startApp(database)
})
afterAll(() => app.stop())

type Row = (typeof dashboardRoutes)[number]
const uuid = '0193e7a1-0000-7000-8000-0000000000ff'
/** A placeholder for the token of the session that asks. */
const csrf = 'CSRF'
const origin = { 'sec-fetch-site': 'same-origin', 'x-csrf-token': csrf }

interface SignedIn {
  readonly token: string
  readonly csrf: string
}

/** A new person: some routes end the calling session, or change the person. */
async function signIn(who: Who): Promise<SignedIn | undefined> {
  if (who === 'nobody') return undefined
  const { program_id, merchant_id } = shop
  const person = await makePerson(app, who === 'operator' ? who : { program_id, merchant_id, role: who })
  const token = person.cookies.get('__Host-nuqta-session') ?? ''
  secrets.push(token, csrfOf(token), person.email)
  return { token, csrf: csrfOf(token) }
}

async function ask(
  { method, path }: Row,
  {
    who,
    place = 'own',
    json = {},
    headers = origin,
    by,
  }: {
    who: Who
    /** The calling session, if it is not a new person's. */
    by?: SignedIn | undefined
    place?: Place
    json?: object
    headers?: Readonly<Record<string, string>>
  },
): Promise<{ readonly status: number; readonly failed: string }> {
  const numbers: Readonly<Record<string, number>> = { merchantId: merchants[place], programId: programs[place] }
  const url = path.replaceAll(/:(\w+)/g, (_, name) => String(numbers[name] ?? uuid))
  const session = by ?? (await signIn(who))
  const cookie = session === undefined ? {} : { cookie: `__Host-nuqta-session=${session.token}` }
  const sent = Object.entries(headers).map(([name, text]) => [name, text.replace(csrf, session?.csrf ?? '')])
  const reply = await app.send(method, `/dashboard/api${url}`, {
    headers: { 'accept-language': 'en', ...cookie, ...Object.fromEntries(sent) },
    ...(method === 'GET' ? {} : { json }),
  })
  expect(reply.headers['cache-control'], `${method} ${path}`).toBe('no-store')
  const { message = '' } = (reply.body ?? {}) as { message?: string }
  const kind = Object.entries(errorTable).find(([, { status, text }]) => status === reply.status && text.en === message)
  return { status: reply.status, failed: kind?.[0] ?? '' }
}

/** The answer of the frame before a handler runs; undefined for a request that may reach the handler. */
function refusal(row: Row, who: Who, place: Place): string | undefined {
  if (row.may === 'anyone') return undefined
  if (who === 'nobody') return 'not_signed_in'
  if (isOfProgram(row)) return refusalOfProgram(row, who, place)
  if (isOfMerchant(row) && (place === 'unknown' || (place !== 'own' && who !== 'operator'))) {
    // A person without permissions there must not learn that it exists.
    return 'merchant_not_found'
  }
  return may[row.may]?.includes(who) ? undefined : 'not_permitted'
}

/** Only operators see a program and its merchants. */
function refusalOfProgram(row: Row, who: Who, place: Place): string | undefined {
  if (who !== 'operator') return 'not_permitted'
  if (place === 'unknown') return 'program_not_found'
  return place === 'of another program' && isOfMerchant(row) ? 'merchant_not_found' : undefined
}

const isOfProgram = ({ path }: Row): boolean => path.includes(':programId')
const isOfMerchant = ({ path }: Row): boolean => path.includes(':merchantId')

const early = ['not_signed_in', 'not_permitted', 'merchant_not_found', 'program_not_found', 'cross_site']
const named = dashboardRoutes.map((row) => [`${row.method} ${row.path}`, row] as const)

describe.each(named)('%s', (_name, row) => {
  it('is open only to the roles in the table of permissions, at their own merchants', async () => {
    // Their own merchant comes last: a handler that they reach could end the session.
    const asked = isOfMerchant(row) || isOfProgram(row) ? places.toReversed() : (['own'] as const)
    const answers = await Promise.all(
      everybody.map(async (who) => {
        const by = await signIn(who)
        const found: string[] = []
        for (const place of asked) {
          const { failed } = await ask(row, { who, place, by })
          found.push(`${who}, ${place}: ${early.includes(failed) ? failed : 'reached'}`)
        }
        return found
      }),
    )
    const found = answers.flat()
    const expected = everybody.flatMap((who) =>
      asked.map((place) => `${who}, ${place}: ${refusal(row, who, place) ?? 'reached'}`),
    )
    expect(found).toEqual(expected)
  })

  it.runIf(row.method !== 'GET')('changes nothing for a page of another site, or without the token', async () => {
    const foreign = [
      { ...origin, 'sec-fetch-site': 'cross-site' },
      { ...origin, 'sec-fetch-site': 'same-site' },
      { ...origin, 'sec-fetch-site': 'none' },
      { 'x-csrf-token': csrf, origin: 'https://other.example' },
      { 'x-csrf-token': csrf },
    ]
    const untold = [{ 'sec-fetch-site': 'same-origin' }, { ...origin, 'x-csrf-token': `${csrf}x` }]
    const who = row.may === 'operator' ? 'operator' : 'owner'
    const by = await signIn(who)
    for (const headers of row.may === 'anyone' ? foreign : [...foreign, ...untold])
      expect(await ask(row, { who, headers, by }), JSON.stringify(headers)).toMatchObject({ failed: 'cross_site' })
  })
})

describe('the dashboard', () => {
  const changing = dashboardRoutes.filter(({ method }) => method !== 'GET')
  const [ofStaff, ofStrangers] = [true, false].map((isStaff) =>
    changing.find((row) => isStaff === (row.may !== 'anyone')),
  )

  it('has a row of this table for every permission that a route asks for', () => {
    expect([...new Set(dashboardRoutes.map((row) => row.may))].filter((one) => may[one] === undefined)).toEqual([])
  })

  it('accepts bodies no larger than the API does, and from strangers no larger than a checkout', async () => {
    const budgets = createBodyBudgets()
    const send = async (row: Row | undefined, who: Who, max_bytes: number) => {
      if (row === undefined) throw new Error('there is no such route')
      const of = async (size: number) => (await ask(row, { who, json: { text: 'x'.repeat(size) } })).failed
      return [await of(max_bytes - 1_000), await of(max_bytes)].map((failed) => failed === 'body_too_large')
    }
    expect(await send(ofStaff, 'operator', budgets.private.max_bytes)).toEqual([false, true])
    expect(await send(ofStrangers, 'nobody', budgets.public.max_bytes)).toEqual([false, true])
  })

  it('answers an unknown path or method in the envelope, whoever asks', async () => {
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['POST', '/nothing/at/all'],
      ['DELETE', '/merchants/1'],
    ] as const) {
      const reply = await app.send(method, `/dashboard/api${path}`, { headers: { accept: 'text/html' } })
      expect(reply.body, path).toMatchObject({ status: false, message: expect.any(String) })
      expect([404, 405]).toContain(reply.status)
    }
  })

  // It is the last test: it reads what all of them have logged.
  it('never logs a cookie, a token, or anything of a body', async () => {
    const json = {
      password: 'corr3ct horse battery',
      email: 'noura@shop.example',
      // Six digits alone can stand in the id of a request by chance.
      code: 'code-428617',
      note: 'said-in-a-body',
    }
    for (const row of dashboardRoutes) if (row.method !== 'GET') await ask(row, { who: 'owner', json })
    const logged = app.logged.join('\n')
    expect(logged).toContain('/dashboard/api/merchants/:merchantId')
    for (const secret of [...secrets, ...Object.values(json)]) expect(logged).not.toContain(secret)
  })
})
