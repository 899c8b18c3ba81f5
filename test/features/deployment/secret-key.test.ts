import { beforeAll, describe, expect, it } from 'vitest'
import { checkSecretKey } from '../../../src/doctor/database.ts'
import type { Phone } from '../../../src/domain/phone.ts'
import { openCheckoutSecret, rotateCheckoutSecret } from '../../../src/features/checkout/signing.ts'
import { fitOf, hasSealed, requireSecretKey, sealCanary } from '../../../src/features/deployment/canary.ts'
import { sealedColumns } from '../../../src/features/deployment/sealed-columns.ts'
import { hasFormerlySealed, rotateSecrets } from '../../../src/features/deployment/secret-key-rotation.ts'
import { createLimits } from '../../../src/features/limits/service.ts'
import { createFindAccount, setAccount } from '../../../src/features/merchants/payment-credentials.ts'
import { findCheckoutRules } from '../../../src/features/merchants/queries.ts'
import { createOtp } from '../../../src/features/otp/service.ts'
import { createProgramWebhooks, programSecretBelongsTo } from '../../../src/features/settlement/program-webhook.ts'
import { createKeepMail } from '../../../src/features/staff/shown-mails.ts'
import { findAnyWebhook, rotateSecret } from '../../../src/features/webhooks/rotation.ts'
import { secretBelongsTo } from '../../../src/features/webhooks/service.ts'
import { createFormKeys } from '../../../src/http/pages/form.ts'
import { CliError } from '../../../src/lib/errors.ts'
import { newUuid } from '../../../src/lib/ids.ts'
import { createSecretBox, isSealedBy } from '../../../src/lib/secrets.ts'
import { sandboxSms } from '../../../src/providers/sms/sandbox.ts'
import { type App, makeMerchant, startApp } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { freshPhone } from '../../support/earnings.ts'
import { budgetOn } from '../../support/messages.ts'
import { makePerson } from '../../support/staff.ts'
import { readTree } from '../../support/tree.ts'

// A database knows its secret key. The key can be changed without losing anything sealed or derived under the former
// one.

const database = testDatabase()
const [old_key, new_key] = ['the former key, of thirty-two and more', 'the new key, of thirty-two and some more']
const former = createSecretBox(old_key)
const both = createSecretBox(new_key, old_key)
const fresh = createSecretBox(new_key)
const stranger = createSecretBox('a key that nobody here has ever had')

/** Byte columns without sealed values: hashes, HMACs and pictures. */
const unsealed = [
  'api_key.private_key_hash',
  'card_session.challenge',
  'card_session.token_hash',
  'checkout_session.browser_hash',
  'checkout_session.token_hash',
  'deployment.secret_canary',
  'idempotency.body_hash',
  'idempotency.key_hash',
  'limit_counter.key_hash',
  'merchant_logo.content',
  'merchant_wide_logo.content',
  'otp.code_hash',
  'rate_limit.key_hash',
  'remembered_browser.token_hash',
  'staff_link.token_hash',
  'staff_passkey.credential_id',
  'staff_passkey.public_key',
  'staff_recovery_code.code_hash',
  'staff_session.token_hash',
  'staff_used.key_hash',
  'wallet_session.token_hash',
]

async function byteColumns(): Promise<{ table: string; column: string }[]> {
  return database.owner.run<{ table: string; column: string }>({
    text: `select c.relname as table, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped and a.atttypid = 'bytea'::regtype
      order by 1, 2`,
    values: [],
  })
}

/** Every place in the database with a value sealed under the key of a box. */
async function sealedUnder({ mark }: typeof former): Promise<string[]> {
  const found: string[] = []
  for (const { table, column } of await byteColumns()) {
    const rows = await database.owner.run({
      text: `select from ${table} where substring(${column} from 1 for 5) = $1`,
      values: [mark],
    })
    if (rows.length > 0) found.push(`${table}.${column}`)
  }
  return found
}

const sealedNames = () => sealedColumns.map(({ table, column }) => `${table}.${column}`)

it('every byte column is listed as sealed or not sealed', async () => {
  const columns = (await byteColumns()).map(({ table, column }) => `${table}.${column}`)
  expect([...unsealed, ...sealedNames()].sort()).toEqual(columns)
})

it('derived values are compared under both keys everywhere', () => {
  // A new file that derives is listed here with how it compares: by `derivations`.
  const makes = {
    'src/features/otp/code.ts': 'codes, compared by derivations',
    'src/features/otp/counters.ts': 'counts of one session, which begin afresh',
    'src/features/staff/signed.ts': 'challenges and tickets, compared by derivations',
    'src/http/pages/form.ts': 'forms, compared by derivations',
    'src/lib/known-browser.ts': 'known browsers, compared by derivations',
  }
  const derive = readTree('src/**/*.ts').filter(({ text }) => /[a-z]\.derive\(/.test(text))
  expect(
    derive
      .map(({ path }) => path)
      .filter((path) => path !== 'src/lib/secrets.ts')
      .sort(),
  ).toEqual(Object.keys(makes))
  const byDerivations = readTree('src/**/*.ts').filter(({ text }) => /\.derivations\(/.test(text))
  expect(byDerivations.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      'src/features/limits/service.ts',
      'src/features/otp/code.ts',
      'src/lib/known-browser.ts',
      'src/features/staff/signed.ts',
      'src/http/pages/form.ts',
    ]),
  )
})

it('a box with a former key opens values of both keys, and seals and derives under the new one', () => {
  const belongs = ['a', 1]
  expect(both.open(former.seal('x', belongs), belongs)).toBe('x')
  expect(fresh.open(both.seal('x', belongs), belongs)).toBe('x')
  expect(() => former.open(both.seal('x', belongs), belongs)).toThrow(/another key/)
  expect(() => both.open(stranger.seal('x', belongs), belongs)).toThrow(/another key/)
  expect(() => both.open(former.seal('x', belongs), ['b', 1])).toThrow(/belongs elsewhere/)
  expect(both.derive(belongs)).toEqual(fresh.derive(belongs))
  expect(both.derivations(belongs)).toEqual([fresh.derive(belongs), former.derive(belongs)])
  expect(createSecretBox(new_key, new_key).derivations(belongs)).toHaveLength(1)
})

describe('derived values of both keys are valid during a change', () => {
  it('forms of pages', () => {
    const url = 'https://localhost'
    const [one, two] = [createFormKeys(former, url), createFormKeys(both, url)]
    expect(two.isTokenOf('b', one.tokenOf('b'))).toBe(true)
    expect(two.isTokenOf('b', two.tokenOf('b'))).toBe(true)
    expect(two.isTokenOf('b', one.tokenOf('c'))).toBe(false)
    expect(createFormKeys(fresh, url).isTokenOf('b', one.tokenOf('b'))).toBe(false)
  })

  it('codes that were sent under the former key', async () => {
    const { program_id } = await makeMerchant(database.db)
    const ask = {
      program_id,
      purpose: 'wallet',
      subject_uuid: newUuid(),
      phone: freshPhone(),
      client_address: '',
    } as const
    const parts = { db: database.db, sms: sandboxSms, host: 'localhost', budget: budgetOn(database.db) }
    await createOtp({ ...parts, secrets: former }).sendOtp({ ...ask, locale: 'en', name: 'Shop' })
    const later = createOtp({ ...parts, secrets: both })
    const code = (await later.peekOtp(ask))?.shown_code ?? ''
    expect(await createOtp({ ...parts, secrets: fresh }).checkOtp({ ...ask, code })).toMatchObject({ kind: 'wrong' })
    expect(await later.checkOtp({ ...ask, code: code === '000000' ? '000001' : '000000' })).toMatchObject({
      kind: 'wrong',
    })
    expect(await later.checkOtp({ ...ask, code })).toEqual({ kind: 'right' })
  })

  it('counts of limits that were made under the former key', async () => {
    const asked = [{ limit: { name: 'tries', rules: [{ most: 3, within_ms: 60_000 }] }, whom: ['somebody'] }]
    const [one, two] = [former, both].map((secrets) => createLimits({ db: database.db, secrets }))
    await one?.admit(asked)
    await one?.admit(asked)
    expect(await two?.admit(asked)).toMatchObject({ admitted: true })
    expect(await two?.admit(asked)).toMatchObject({ admitted: false })
    expect(await two?.refusal(asked)).not.toBeNull()
  })
})

describe('the canary', () => {
  const canary = (sealed: Buffer | null) =>
    database.owner.run({ text: 'update deployment set secret_canary = $1', values: [sealed] })

  beforeAll(async () => {
    await makeMerchant(database.db)
  })

  it('is written at the first start, and detects every other key', async () => {
    await database.owner.script('delete from otp; delete from idempotency')
    await canary(null)
    expect([await fitOf(database.db, former), await hasSealed(database.db)]).toEqual(['nothing sealed', false])
    await requireSecretKey(database.db, former)
    expect(await hasSealed(database.db)).toBe(true)
    expect([await fitOf(database.db, former), await fitOf(database.db, both)]).toEqual(['fits', 'former'])
    await requireSecretKey(database.db, both)
    for (const wrong of [fresh, stranger, createSecretBox(new_key, 'another that is not the former key either')]) {
      expect(await fitOf(database.db, wrong)).toBe('foreign')
      await expect(requireSecretKey(database.db, wrong)).rejects.toThrow(CliError)
      await expect(requireSecretKey(database.db, wrong)).rejects.toThrow(/NUQTA_SECRET_KEY/)
    }
    expect(await fitOf(database.db, former)).toBe('fits')
  })

  it('is written under the key of the stored secrets if it is missing', async () => {
    const app = await startApp(database, { secret_key: old_key })
    const { private_key } = await makeMerchant(database.db)
    await app.post('/v1/webhooks', private_key, { name: 'w', url: 'http://127.0.0.1:9/' })
    await app.stop()
    await canary(null)
    expect(await hasSealed(database.db)).toBe(true)
    await expect(requireSecretKey(database.db, fresh)).rejects.toThrow(CliError)
    // A value is still under the former key, so a process without that key must not start.
    await requireSecretKey(database.db, both)
    expect(await fitOf(database.db, former)).toBe('fits')
    expect(await fitOf(database.db, fresh)).toBe('foreign')
  })

  it('lets one of two processes start with different keys at once', async () => {
    await database.owner.script('delete from webhook')
    await canary(null)
    const starts = await Promise.allSettled([former, stranger].map((box) => requireSecretKey(database.db, box)))
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('is checked by the doctor', async () => {
    await canary(sealCanary(former))
    const found = (secret_key: string | null, secret_key_old?: string) =>
      checkSecretKey(database.db, { secret_key, secret_key_old, kept: 'settings' })
    expect(await found(old_key)).toMatchObject({ ok: true })
    expect(await found(new_key)).toMatchObject({ ok: false, detail: expect.stringContaining('not the one') })
    expect(await found(null)).toMatchObject({ ok: false })
    expect(await found(new_key, old_key)).toMatchObject({ ok: false, advice: 'Run nuqta secrets rotate.' })
    await canary(sealCanary(fresh))
    const detail = expect.stringContaining('if it is the former key, remove it a day after the change')
    expect(await found(new_key, old_key)).toMatchObject({ ok: true, detail })
    // The former key may also be in a file, which nobody has to remove.
    const files = { secret_key: new_key, secret_key_old: old_key, kept: 'directory' } as const
    const itself = expect.stringContaining('a start removes secret.key.old itself')
    expect(await checkSecretKey(database.db, files)).toMatchObject({ ok: true, detail: itself })
  })
})

const loopback = async () => ['127.0.0.1']

describe('rotating', () => {
  let app: App
  let filled: Awaited<ReturnType<typeof fill>>

  /** Fills every sealed column under the former key as the service does; gives how to open each. */
  async function fill() {
    const merchant = await makeMerchant(database.db)
    const headers = { 'idempotency-key': newUuid() }
    const body = { name: 'w', url: 'http://127.0.0.1:9/' }
    const registered = await app.post('/v1/webhooks', merchant.private_key, body, headers)
    const { uuid, secret } = registered.body.data as { readonly uuid: string; readonly secret: string }
    const webhook = await findAnyWebhook(database.db, uuid)
    const next = await rotateSecret(database.db, former, {
      webhook,
      at_ms: Date.now() + 86_400_000,
      changed_at: new Date(),
    })
    const account = { provider: 'moyasar', secret_key: 'sk', webhook_secret: 'ws' } as const
    await setAccount({ db: database.db, secrets: former }, merchant, account)
    const checkout_secret = await rotateCheckoutSecret({ db: database.db, secrets: former }, merchant, new Date())
    const notices = createProgramWebhooks({ db: database.db, secrets: former, resolve: loopback, allow_loopback: true })
    const by_operator = { source: 'dashboard', name: 'operator' } as const
    const told = await notices.set(merchant.program_id, body.url, { by: by_operator })
    const planned = await notices.rotate(merchant.program_id, { by: by_operator, at_ms: Date.now() + 86_400_000 })
    const phone: Phone = freshPhone()
    const place = { program_id: merchant.program_id, purpose: 'wallet', subject_uuid: newUuid() } as const
    const otp = createOtp({
      db: database.db,
      secrets: former,
      sms: sandboxSms,
      host: 'localhost',
      budget: budgetOn(database.db),
    })
    await otp.sendOtp({ ...place, phone, client_address: newUuid(), locale: 'en', name: 'Shop' })
    const code = (await otp.peekOtp(place))?.shown_code
    const person = await makePerson(app, { ...merchant, role: 'owner' })
    expect((await person.call('POST', '/account/totp/begin')).status).toBe(200)
    const mail = { to: person.email, subject: 's', text: 't', html: 'h' }
    await createKeepMail({ db: database.db, secrets: former })(mail)
    const sent = { headers, body, text: registered.text }
    return { merchant, ...sent, uuid, secret, next: next.secret, account, checkout_secret, told, planned, place, code }
  }

  beforeAll(async () => {
    await database.owner.script('delete from otp; delete from idempotency; delete from webhook')
    await database.owner.run({ text: 'update deployment set secret_canary = $1', values: [sealCanary(former)] })
    app = await startApp(database, { secret_key: old_key })
    filled = await fill()
    for (let more = 0; more < 4; more += 1) await fill()
    await app.stop()
  })

  it('starts with every sealed column filled, so that the next tests cover all', async () => {
    expect(await sealedUnder(former)).toEqual(['deployment.secret_canary', ...sealedNames()].sort())
    expect(await hasFormerlySealed({ db: database.db, secrets: both })).toBe(true)
  })

  it('needs the former key, and one that fits the database', async () => {
    await expect(rotateSecrets({ db: database.db, secrets: fresh })).rejects.toThrow(/NUQTA_SECRET_KEY_OLD/)
    const wrong = createSecretBox(new_key, 'another that is not the former key either')
    await expect(rotateSecrets({ db: database.db, secrets: wrong })).rejects.toThrow(CliError)
    expect(await sealedUnder(fresh)).toEqual([])
  })

  it('continues after an interruption at any batch, and overwrites no concurrent change', async () => {
    let done = 0
    const interrupted = rotateSecrets({
      ...{ db: database.db, secrets: both, batch: 2 },
      onProgress: (resealed) => {
        done = resealed
        if (resealed >= 4) throw new Error('the plug was pulled')
      },
    })
    await expect(interrupted).rejects.toThrow('the plug was pulled')
    // Both keys are in use, and nothing is lost.
    expect(await fitOf(database.db, former)).toBe('fits')
    await expect(requireSecretKey(database.db, fresh)).rejects.toThrow(CliError)
    const last = await findAnyWebhook(database.db, filled.uuid)
    const rest = await rotateSecrets({ db: database.db, secrets: both, batch: 2 })
    expect(rest.unreadable.size).toBe(0)
    expect(done + rest.resealed).toBe(50)
    expect(last.webhook_uuid).toBe(filled.uuid)
    expect(await rotateSecrets({ db: database.db, secrets: both })).toMatchObject({ resealed: 0 })
  })

  it('leaves nothing under the former key; the new key opens everything', async () => {
    expect(await sealedUnder(former)).toEqual([])
    expect(await sealedUnder(fresh)).toEqual(['deployment.secret_canary', ...sealedNames()].sort())
    expect(await hasFormerlySealed({ db: database.db, secrets: both })).toBe(false)
    await requireSecretKey(database.db, fresh)
    await expect(requireSecretKey(database.db, former)).rejects.toThrow(CliError)
    const { merchant, headers, body, text, uuid, secret, next, account, checkout_secret, place, code } = filled
    const { told, planned } = filled
    const later = await startApp(database, { secret_key: new_key })
    const again = await later.post('/v1/webhooks', merchant.private_key, body, headers)
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([text, 'true'])
    await later.stop()
    const [row] = await database.owner.run<{ secret: Buffer; next_secret: Buffer }>({
      text: 'select secret, next_secret from webhook where webhook_uuid = $1',
      values: [uuid],
    })
    if (row === undefined) throw new Error('the webhook is there')
    const belongs = secretBelongsTo(merchant, uuid as never)
    expect([row.secret, row.next_secret].map((sealed) => fresh.open(sealed, belongs))).toEqual([secret, next])
    const findAccount = createFindAccount({ db: database.db, secrets: fresh })
    expect(await findAccount(merchant, 'moyasar')).toEqual(account)
    const rules = await database.db.one(findCheckoutRules(merchant))
    expect(rules && openCheckoutSecret(fresh, merchant, rules)).toBe(checkout_secret)
    const [notice] = await database.owner.run<{ secret: Buffer; next_secret: Buffer }>({
      text: 'select secret, next_secret from program_webhook where program_id = $1',
      values: [merchant.program_id],
    })
    if (notice === undefined) throw new Error('the webhook of the program is there')
    const openNotice = (sealed: Buffer) => fresh.open(sealed, programSecretBelongsTo(told.webhook))
    expect([notice.secret, notice.next_secret].map(openNotice)).toEqual([told.secret, planned.secret])
    const otp = createOtp({
      db: database.db,
      secrets: fresh,
      sms: sandboxSms,
      host: 'localhost',
      budget: budgetOn(database.db),
    })
    expect((await otp.peekOtp(place))?.shown_code).toBe(code)
  })

  it('counts values that neither key opens, and leaves them unchanged', async () => {
    const sealed = stranger.seal('x', [])
    await database.owner.run({
      text: 'update webhook set secret = $2 where webhook_uuid = $1',
      values: [filled.uuid, sealed],
    })
    const { resealed, unreadable } = await rotateSecrets({ db: database.db, secrets: both })
    expect([resealed, [...unreadable]]).toEqual([0, [['webhook.secret', 1]]])
    const [row] = await database.owner.run<{ secret: Buffer }>({
      text: 'select secret from webhook where webhook_uuid = $1',
      values: [filled.uuid],
    })
    expect(isSealedBy(stranger, row?.secret ?? Buffer.alloc(0))).toBe(true)
    // The doctor once said to rotate, again after each rotation.
    const keys = { secret_key: new_key, secret_key_old: old_key, kept: 'settings' } as const
    const finding = await checkSecretKey(database.db, keys)
    expect(finding).toMatchObject({ ok: false, detail: 'some stored secrets are sealed under neither key' })
  })
})
