import { beforeAll, describe, expect, it } from 'vitest'
import type { Uuid } from '../../../src/domain/ids.ts'
import type { Phone } from '../../../src/domain/phone.ts'
import { asPoints } from '../../../src/domain/points.ts'
import { foldDigits } from '../../../src/domain/text.ts'
import { type CustomerView, listCustomers } from '../../../src/features/customers/list.ts'
import { activateCustomer } from '../../../src/features/earning/activation.ts'
import { personalData } from '../../../src/features/erasure/personal-data.ts'
import { eraseCustomer } from '../../../src/features/erasure/service.ts'
import { answerBelongsTo } from '../../../src/features/idempotency/service.ts'
import { changeProgram } from '../../../src/features/merchants/program-settings.ts'
import { readProgram } from '../../../src/features/merchants/programs.ts'
import { mergeCustomers } from '../../../src/features/people/merge.ts'
import { adjustWallet } from '../../../src/features/wallet/adjust.ts'
import { createSecretBox } from '../../../src/lib/secrets.ts'
import { daysFromEntries, daysOf, rebuildAll } from '../../support/activity.ts'
import { defaults } from '../../support/api.ts'
import { checkoutStage } from '../../support/checkout-stage.ts'
import { confirm, openedCheckout } from '../../support/checkouts.ts'
import { testDatabase } from '../../support/database.ts'
import { readTree } from '../../support/tree.ts'

// The test writes a person into every place that can hold one: by the API and the services where they reach it. After the erasure
// nothing in the database names them: no column of any table, whatever its type, and no sealed answer.

const database = testDatabase({ leaves: ['due messages'] })
const stage = checkoutStage(database)
const secrets = createSecretBox(defaults.secret_key)
const by = { source: 'command', name: 'Sara' } as const
const phone = '512345678' as Phone
/** The person's number of before, which was merged into the other. */
const given_up = '512345677' as Phone
/** The ways in which the person is written into the rows. */
const named = {
  name: 'Noura Alqahtani',
  arabic: 'نورة القحطاني',
  phones: ['+966 51 234 5678', '٠٥١٢٣٤٥٦٧٨', '00966512345678'],
}
const all = `${named.name} ${named.arabic} ${named.phones.join(' ')}`

/** Whether a text names the person, in any spelling of the phone. */
function names(text: string): boolean {
  const plain = foldDigits(text.replaceAll(/[\s()-]/g, ''))
  return [phone, given_up].some((number) => plain.includes(number)) || /noura|alqahtani|نورة|القحطاني/i.test(text)
}

interface Column {
  readonly table: string
  readonly column: string
}

/** Every column that can hold a text. */
function textColumns(): Promise<Column[]> {
  return database.owner.run<Column>({
    text: `select c.relname as table, a.attname as column
      from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and format_type(a.atttypid, null) in ('text', 'text[]', 'json', 'jsonb', 'bytea')
      order by c.relname, a.attname`,
    values: [],
  })
}

/** The columns that name the person, sealed answers included. */
async function found(): Promise<string[]> {
  const places: string[] = []
  for (const { table, column } of await textColumns()) {
    const read = `case when pg_typeof(${column}) = 'bytea'::regtype then encode(${column}::text::bytea, 'escape') else ${column}::text end`
    const rows = await database.owner.run<{ value: string | null }>({
      text: `select ${read} as value from ${table}`,
      values: [],
    })
    if (rows.some(({ value }) => value !== null && names(value))) places.push(`${table}.${column}`)
  }
  if ((await answers()).some(names)) places.push('idempotency.answer')
  return places.sort()
}

async function answers(): Promise<string[]> {
  const rows = await database.owner.run<{ program_id: number; merchant_id: number; key_hash: Buffer; answer: Buffer }>({
    text: 'select program_id, merchant_id, key_hash, answer from idempotency where answer is not null',
    values: [],
  })
  return rows.map((row) => secrets.open(row.answer, answerBelongsTo(row)))
}

let sent = 0

/** Sends a request of the shop under a new Idempotency-Key. */
async function post(path: string, json: object): Promise<Record<string, unknown>> {
  sent += 1
  const key = stage.shop.private_key
  const headers = { 'idempotency-key': `key-${sent}` }
  const { status, body } = await stage.app.call('POST', `/api/v1/orders/${path}`, { key, json, headers })
  expect([path, status, body.message]).toEqual([path, 200, ''])
  return body.data as Record<string, unknown>
}

const write = (text: string, ...values: unknown[]) => database.owner.run({ text, values })

const written = {
  metadata: { customer: named.name, mobile: named.phones[0] },
  products: [{ product_name: `A gift for ${named.arabic}`, product_price: 100, quantity: 1 }],
  shipping_address: { city: 'Riyadh', line1: all },
}

/** An earning that waited, was activated, labelled and refunded in part, with a rating beside it. */
async function buys(program_id: number): Promise<string> {
  const purchase = { phone_number: phone, total_price: 500, order_number: '1', name: named.name, ...written }
  await post('earning', purchase)
  await activateCustomer(database.db, stage.app.clock, { program_id, phone })
  const order = await post('earning', { ...purchase, order_number: '2' })
  const uuid = String(order['uuid'])
  await post(`${uuid}/status`, {
    status: 'delivered',
    name_ar: `سلم إلى ${named.arabic}`,
    name_en: `Given to ${named.name}`,
  })
  await write(
    `insert into translation values ($1, 'ar', $2, $3, now())`,
    program_id,
    `Given to ${named.name}`,
    named.arabic,
  )
  await post(`${uuid}/refund`, { amount: 10, reason: `${named.name} called from ${named.phones[1]}` })
  const review = { phone_number: phone, review_reference: 'r1', product_id: `ring-of-${named.name}`, comment: all }
  await post('earning/product-rating', { ...review, product_name: `Ring of ${named.arabic}`, rating: 5 })
  return uuid
}

/** Three checkouts: one completed, one cancelled, one that nobody confirmed. */
async function checksOut(): Promise<void> {
  const { services } = stage.app
  const callback_url = `https://shop.example/?for=${encodeURIComponent('Noura')}`
  const opened = { phone, given: phone, callback_url }
  const paid = await openedCheckout(services, stage.shop, opened)
  await services.proveSession(paid.token, paid.browser, phone)
  expect(await confirm(services, paid, { points: 100 })).toMatchObject({ kind: expect.any(String) })
  await post(`${paid.order_uuid}/complete`, {})
  await write(
    `update checkout_session set name = $2, joined_name = $2, joined_terms = '1', joined_locale = 'en', continued_at = confirmed_at
     where order_uuid = $1`,
    paid.order_uuid,
    named.name,
  )
  const cancelled = await openedCheckout(services, stage.shop, opened)
  await services.proveSession(cancelled.token, cancelled.browser, phone)
  await confirm(services, cancelled, { points: 0 })
  await post(`${cancelled.order_uuid}/cancel`, { reason: `${named.arabic} changed her mind` })
  const { order_uuid } = await openedCheckout(services, stage.shop, opened)
  await write('update orders set metadata = $2 where order_uuid = $1', order_uuid, JSON.stringify(written.metadata))
}

/** The rows that come from outside: answers of receivers and of an SMS provider, codes, sign-ins, an adjustment. */
async function isWrittenAbout(program_id: number, order_uuid: string): Promise<void> {
  await write(
    `insert into proposal (program_id, proposal_uuid, kind, state, payload, facts, customer_id, reason, proposed_by, expires_at, created_at)
     select $1, gen_random_uuid(), 'wallet.adjust', 'open', '{}', '{}', customer_id, $2, 'Sara', now(), now()
     from customer where program_id = $1 and phone = $3`,
    program_id,
    `${named.name} was given too little`,
    phone,
  )
  await write(
    `insert into erasure_request (program_id, request_uuid, customer_id, reason, asked_by, due_at, created_at)
     select $1, gen_random_uuid(), customer_id, $2, 'Sara', now(), now() from customer where program_id = $1 and phone = $3`,
    program_id,
    `${named.name} wants to be forgotten`,
    phone,
  )
  const block = `update account a set blocked_reason = $2 from customer c
    where c.program_id = $1 and c.phone = $3 and a.program_id = $1 and a.account_id = c.customer_id`
  await write(block, program_id, `${named.name} has lost her phone`, phone)
  const { merchant_id } = stage.shop.merchant
  const [event] = (await write('select event_id from event where order_uuid = $1', order_uuid)) as { event_id: Uuid }[]
  const delivery_id = `${event?.event_id.slice(0, 34)}01`
  const attempt = `insert into delivery_attempt (program_id, delivery_id, series, attempt, started_at, status, response, error)
    values ($1, $2, 1, 1, now(), 400, $3, $3)`
  await write(attempt, program_id, delivery_id, `{"name":"${named.name}","phone":"${phone}"}`)
  const customer = 'select customer_id from customer where program_id = $1 and phone = $3'
  const sms = `update sms_queue set error = $4 where program_id = $1 and merchant_id = $2 and customer_id = (${customer})`
  await write(sms, program_id, merchant_id, phone, `rejected: ${named.phones[2]}`)
  await write(
    `insert into reconciliation_finding (program_id, finding_uuid, merchant_id, order_uuid, payment_uuid, provider,
       amount_halalas, kind, action, detail, note, found_at, seen_at)
     values ($1, $2, $3, $4, $2, 'paytabs', 100, 'not_paid', 'none', 'pending', $5, now(), now())`,
    ...[program_id, delivery_id, merchant_id, order_uuid, `${named.name} was called at ${named.phones[0]}`],
  )
  const dispute = `insert into settlement_exclusion (program_id, order_uuid, merchant_id, reason, excluded_at, included_at)
    values ($1, $2, $3, $4, now(), now())`
  await write(dispute, program_id, order_uuid, merchant_id, `${named.name} disputes it`)
  const otp = `insert into otp (program_id, purpose, subject_uuid, otp_uuid, phone, code_hash, expires_at, created_at)
    values ($1, 'wallet', $2, $2, $3, '', now(), now())`
  await write(otp, program_id, delivery_id, phone)
  await stage.app.services.walletSessions.begin({ program_id, phone })
  const { db } = database
  await post('earning', { phone_number: given_up, total_price: 100, order_number: '0', products: written.products })
  await activateCustomer(db, stage.app.clock, { program_id, phone: given_up })
  const { customer_id: from } = await customerOf({ phone: given_up })
  await mergeCustomers({ db, clock: stage.app.clock }, { program_id, from, into_phone: phone, locale: 'en', by })
  const { customer_id } = await customerOf({ phone })
  await stage.app.services.rememberedBrowsers.remember({
    program_id,
    phone,
    customer_id,
    device: null,
    cookie: undefined,
  })
  await stage.app.services.cards.begin({ program_id, merchant_id, phone })
  const program = await readProgram(database.db, program_id)
  if (program === null) throw new Error('a program is missing')
  const adjustment = { program, phone, typed: phone, points: asPoints(50), reason: `A gift: ${all}`, by }
  await adjustWallet(database.db, stage.app.clock, adjustment)
}

const erase = (program_id: number, of: Phone = phone) =>
  eraseCustomer({ owner: database.owner, secrets, by }, { program_id, phone: of, typed: of })

async function customerOf(of: { readonly phone: Phone } | { readonly customer_id: Uuid }): Promise<CustomerView> {
  const [view] = await listCustomers(database.db, [{ program_id }], { ...of, size: 1 })
  if (view === undefined) throw new Error('a customer is missing')
  return view
}

let program_id: number
let uuid: string
let before: readonly string[]
let known: CustomerView

beforeAll(async () => {
  program_id = stage.shop.merchant.program_id
  await changeProgram(database.db, program_id, { changes: { activation: 'required' }, now: new Date() })
  uuid = await buys(program_id)
  await checksOut()
  await isWrittenAbout(program_id, uuid)
  known = await customerOf({ phone })
  await rebuildAll(database.db, program_id)
  before = await found()
})

/** Columns that hold no person. A new column is one of these, or a row of `personal-data.ts`. */
const impersonal = `
  account: kind blocked_by · api_key: public_key private_key_hash · card_session: token_hash stage challenge · checkout_session: token_hash browser_hash state collector locale joined_terms
  joined_locale · consent: terms_version locale source · customer: status · delivery: state · delivery_attempt: error_code · deployment: environment secret_canary
  entry: bucket kind · provider_money: kind · settlement_line: kind · event: name · hold: state · idempotency: key_hash route body_hash · limit_counter: key_hash
  merchant: name name_ar payment_provider payment_flow colour checkout_secret return_hosts payment_methods verified_by suspended_by suspended_reason
  merchant_note: note changed_by · merchant_document: document note seen_by · merchant_logo: digest media_type content
  merchant_wide_logo: digest media_type content
  merchant_payment_account: provider credentials · order_payment: provider provider_reference state kind page_url error paid_with provider_account
  order_refund: provider_state provider_refund_reference · orders: source reference_number order_number order_status shipping_status
  payment_method · otp: purpose code_hash shown_code · payment_task: kind state provider_reference error
  pending_earning: source order_number · program: name activation locale operator_name operator_contact · rate_limit: kind key_hash
  program_terms: version text_en text_ar · proposal: kind state payload facts proposed_by decided_by
  sandbox_payment: kind state card description return_url callback_url · schema_migration: name checksum
  sms_queue: kind state · transfer: kind reference · translation: target · wallet_session: token_hash
  remembered_browser: token_hash device
  webhook: name url secret secret_last4 next_secret next_secret_last4 · webhook_rotation: old_last4 new_last4
  activity_program: build_step · liability_report: step · audit: source actor action object before · request_log: method route failure fields body · staff: email name password_hash locale totp_secret · staff_membership: role
  staff_session: token_hash method address browser · staff_recovery_code: code_hash
  staff_passkey: credential_id public_key transports name · staff_link: token_hash purpose email role invited_by
  staff_used: key_hash · shown_mail: content
  reconciliation_finding: provider provider_reference kind action detail state changed_by
  message_count: span kind outcome error · service_process: role version host facts
  ledger_run: state asked_by cancelled_by step shown error · settlement_run: kind asked_by proposed_by state step result error
  program_webhook: url secret secret_last4 next_secret next_secret_last4 · erasure_request: asked_by state obstacle ended_by · settlement_notice: event state error`

describe('the table of personal data', () => {
  const personal = personalData.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`))

  it('has every column in which the person was found, and the person was in each', () => {
    expect(before).toEqual(personal.toSorted())
  })

  it('leaves no column of the schema unjudged', async () => {
    const others = [...impersonal.matchAll(/(\w+):([^:·]*?)(?=\s*(?:·|\w+:|$))/g)].flatMap(
      ([, table = '', columns = '']) =>
        columns
          .trim()
          .split(/\s+/)
          .map((column) => `${table}.${column}`),
    )
    const columns = (await textColumns()).map(({ table, column }) => `${table}.${column}`)
    expect([...personal, ...others].sort()).toEqual(columns.sort())
  })

  it('says how each is erased: by a statement of its own, or by one of the two common ones', () => {
    const [file] = readTree('src/features/erasure/personal-data.ts')
    const own = personalData.filter(({ erases }) => erases === 'own')
    expect([...(file?.text.matchAll(/: `\w+`\.$/gm) ?? [])]).toHaveLength(own.length)
  })
})

describe('an erasure', () => {
  it('is refused while an order is under way, and for a phone that nobody has', async () => {
    const { services } = stage.app
    const open = await openedCheckout(services, stage.shop, { phone })
    await services.proveSession(open.token, open.browser, phone)
    await confirm(services, open, { points: 20 })
    await expect(erase(program_id)).rejects.toThrow(`The order ${open.order_uuid} is under way`)
    await post(`${open.order_uuid}/cancel`, {})
    await expect(erase(program_id, '599999999' as Phone)).rejects.toThrow('No customer of this program has the phone')
    expect(await found()).toEqual(before)
  })

  it('is refused without the rights of the owner, and changes nothing', async () => {
    const parts = { owner: database.db, secrets, by }
    await expect(eraseCustomer(parts, { program_id, phone, typed: phone })).rejects.toThrow('Set NUQTA_MIGRATION_URL')
    expect(await found()).toEqual(before)
  })

  it('leaves no trace of the person in any column, and the wallet as it was', async () => {
    const other = await openedCheckout(stage.app.services, stage.shop, { given: phone })
    await stage.app.services.proveSession(other.token, other.browser, '587654321' as Phone)
    const erased = await erase(program_id)
    const gone = { phone: null, name: null, customer_status: 'erased', erased_at: expect.any(String) }
    expect(erased).toEqual({ ...known, ...gone })
    expect(await found()).toEqual([])
    expect(await customerOf({ customer_id: known.customer_id })).toEqual(erased)
    const [kept] = await write('select proven_phone from checkout_session where order_uuid = $1', other.order_uuid)
    expect(kept).toEqual({ proven_phone: '587654321' })
  })

  it('leaves the orders readable for their merchant, without what was written', async () => {
    const { body } = await stage.app.call('GET', `/api/v1/orders/${uuid}`, { key: stage.shop.private_key })
    const order = { total_price: 500, total_points: 5_000, order_status: 'partially_refunded', metadata: null }
    expect(body.data).toMatchObject({ ...order, status_label: 'Delivered', custom_status: null })
    expect(body.data).not.toHaveProperty('items')
    expect(await write('select sum(total_halalas)::int as sum from orders where order_uuid = $1', uuid)).toEqual([
      { sum: 50_000 },
    ])
  })

  it('keeps the daily figures and the visits of the wallet, and a rebuild gives the same', async () => {
    const figures = async () => ({
      days: await daysOf(database.db, program_id),
      visits: await write(
        'select orders, sales_halalas from merchant_customer where customer_id = $1',
        known.customer_id,
      ),
    })
    const kept = await figures()
    expect(kept).toMatchObject({ days: [expect.anything()], visits: [expect.anything()] })
    await rebuildAll(database.db, program_id)
    expect(await figures()).toEqual(kept)
    expect(kept.days).toEqual(await daysFromEntries(database.db, program_id))
  })

  it('answers a request that is sent again as before, without the person', async () => {
    const kept = (await answers()).filter((text) => text.includes(uuid))
    expect(kept.length).toBeGreaterThan(1)
    for (const text of kept) expect(JSON.parse(text)).toMatchObject({ status: true, data: { metadata: null } })
  })

  it('is recorded by the uuid of the customer, and cannot be done twice', async () => {
    const rows = await write(`select actor, object, after from audit where action = 'customers.erase'`)
    expect(rows).toEqual([
      { actor: 'Sara', object: `customer:${known.customer_id}`, after: { orders: expect.any(Number) } },
    ])
    await expect(erase(program_id)).rejects.toThrow('No customer of this program has the phone')
  })

  it('frees the phone: whoever has it next is a new customer with nothing', async () => {
    const data = await post('earning', {
      phone_number: phone,
      total_price: 10,
      order_number: 'new',
      products: written.products,
    })
    expect(data).toMatchObject({ pending_client_activation: true })
    const fresh = await customerOf({ phone })
    expect(fresh).toMatchObject({ customer_status: 'invited', posted: 0, name: null })
    expect(fresh.customer_id).not.toBe(known.customer_id)
  })
})
