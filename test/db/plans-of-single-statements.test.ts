import { beforeAll, expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Phone } from '../../src/domain/phone.ts'
import * as customers from '../../src/features/customers/queries.ts'
import * as earning from '../../src/features/earning/queries.ts'
import * as detail from '../../src/features/orders/dashboard-detail-queries.ts'
import * as sessions from '../../src/features/orders/session-queries.ts'
import * as otp from '../../src/features/otp/queries.ts'
import * as requests from '../../src/features/requests/queries.ts'
import * as wallet from '../../src/features/wallet/queries.ts'
import { findAttempts } from '../../src/features/webhooks/log-queries.ts'
import { testDatabase } from '../support/database.ts'
import { leaveUnobserved, makeLarge } from '../support/large.ts'
import { plansOf } from '../support/plans.ts'

// Statements without a name are planned at every call, from what is known of the tables then: a plan for a table without rows
// does no harm. In a large one each finds its rows by the index that it is meant to use, analysed or not.

const database = testDatabase({
  plans: 'by_key',
  leaves: ['ledger differences', 'open holds', 'due deliveries', 'due messages', 'due payment tasks'],
})
const uuid = '0193e7a1-0000-7000-8000-000000000001' as Uuid
const other = '0193e7a1-0000-7000-8000-000000000002' as Uuid
const phone = '512345678' as Phone
const now = new Date()
const counter = { kind: 'send_session', key_hash: Buffer.of(1), times: [now] } as const
const page = { before: uuid, window: 1_000, size: 20 }
const all = { status_class: undefined, route: undefined, failure: undefined }
const owner = { program_id: 1, merchant_id: 1 }

const asked = {
  lockCustomer: customers.lockCustomer(1, phone),
  lockCustomerById: customers.lockCustomerById(1, uuid),
  lockCustomersById: customers.lockCustomersById(1, [uuid, other]),
  findPendingOf: earning.findPendingOf(1, uuid),
  endPending: earning.endPending(1, uuid, [uuid, other]),
  sumPendingOf: wallet.sumPendingOf(1, phone),
  findSessionOf: sessions.findSessionOf(1, uuid),
  findEventsOf: detail.findEventsOf({ program_id: 1, order_uuid: uuid }, 10),
  findAttempts: findAttempts(1, [uuid, other]),
  findCounters: otp.findCounters(1, [counter, counter]),
  lockCounters: otp.lockCounters(1, [counter, counter], now),
  writeTimes: otp.writeTimes(1, counter),
  uncount: otp.uncount(1, [counter, counter], now),
  deleteCounters: otp.deleteCounters(1, now, 10),
  deleteCodes: otp.deleteCodes(1, now, 10),
  deleteRequests: requests.deleteRequests(1, uuid, 10),
  findRequests: requests.findRequests(owner, all, page),
  'findRequests that failed': requests.findRequests(owner, { ...all, status_class: 4 }, page),
  'findRequests of a route': requests.findRequests(owner, { ...all, route: '/v1' }, page),
}
/** Tables with a row for each merchant, or a few for each program. */
const small = /^(merchant|program_rate) /

const expected: Readonly<Record<keyof typeof asked, readonly string[]>> = {
  lockCustomer: [
    'account by account_pkey (account_id, program_id)',
    'customer by customer_phone_key (phone, program_id)',
  ],
  lockCustomerById: [
    'account by account_pkey (account_id, program_id)',
    'customer by customer_pkey (customer_id, program_id)',
  ],
  lockCustomersById: [
    'account by account_pkey (account_id, program_id)',
    'customer by customer_pkey (customer_id, program_id)',
  ],
  findPendingOf: ['pending_earning by pending_earning_customer_idx (customer_id, program_id)'],
  endPending: ['pending_earning by pending_earning_customer_idx (customer_id, program_id)'],
  sumPendingOf: [
    'account by account_pkey (account_id, program_id)',
    'customer by customer_phone_key (phone, program_id)',
    'pending_earning by pending_earning_customer_idx (customer_id, program_id)',
  ],
  findSessionOf: ['checkout_session by checkout_session_order_key (order_uuid, program_id)'],
  findEventsOf: ['event by event_program_id_order_uuid_idx (order_uuid, program_id)'],
  findAttempts: ['delivery_attempt by delivery_attempt_pkey (delivery_id, program_id)'],
  findCounters: ['rate_limit by rate_limit_pkey (key_hash, kind, program_id)'],
  lockCounters: ['conflict on rate_limit_pkey'],
  writeTimes: ['rate_limit by rate_limit_pkey (key_hash, kind, program_id)'],
  uncount: ['rate_limit by rate_limit_pkey (key_hash, kind, program_id)'],
  deleteCounters: [
    'rate_limit by rate_limit_asked_idx (asked_at, program_id)',
    'rate_limit by rate_limit_pkey (key_hash, kind, program_id)',
  ],
  deleteCodes: [
    'otp by otp_created_idx (created_at, program_id)',
    'otp by otp_pkey (program_id, purpose, subject_uuid)',
  ],
  deleteRequests: ['request_log by request_log_pkey (program_id, request_id)'],
  findRequests: ['request_log by request_log_merchant_idx (merchant_id, program_id)'],
  'findRequests that failed': ['request_log by request_log_failed_idx (merchant_id, program_id)'],
  'findRequests of a route': ['request_log by request_log_route_idx (merchant_id, program_id, route)'],
}

beforeAll(async () => {
  await leaveUnobserved(database.owner)
  await makeLarge(database.owner)
}, 300_000)

/** How each statement finds its rows, all months of a table as one, sorted: the order of joins does not matter. */
async function plans(): Promise<Record<string, readonly string[]>> {
  const texts = Object.entries(asked).map(([name, one]) => [name, 'sql' in one ? one.sql : one.text] as const)
  const found = await plansOf(database.db, new Map(texts))
  return Object.fromEntries(
    [...found].map(([name, plan]) => [name, [...new Set(plan.filter((line) => !small.test(line)))].sort()]),
  )
}

it('each finds its rows in large tables that were never analysed by the index that is meant', async () => {
  expect(await plans()).toEqual(expected)
})

it('and in the same tables once they are analysed', async () => {
  await database.owner.script('analyze')
  expect(await plans()).toEqual(expected)
})
