import type { Database } from '../../db/pool.ts'
import { parseUuid, type Uuid } from '../../domain/ids.ts'
import { toSar } from '../../domain/money.ts'
import { CliError } from '../../lib/errors.ts'
import { listPrograms } from '../merchants/programs.ts'
import {
  findByReference,
  findLedgerOf,
  findPage,
  findPaymentsOf,
  type LedgerLine,
  type ListedOrder,
  type OrderFilter,
  type PaymentOfOrder,
} from './list-queries.ts'
import { type OrderView, viewOrder } from './view.ts'

/** The Order of the API, with what an operator also needs. */
export interface OrderListing extends OrderView {
  readonly merchant_id: number
  readonly phone: string | null
  readonly payment_method: string | null
  readonly ledger: readonly {
    readonly transfer_id: string
    readonly kind: string
    readonly points: number
    readonly reason: string | null
    readonly created_at: string
  }[]
}

type Filter = Omit<OrderFilter, 'program_id'> & { readonly program_id?: number | undefined }

/** A page of orders of one program, or of all programs, the newest first, older than `before`. */
export async function listOrders(
  db: Database,
  filter: Filter,
  { before, size, now }: { readonly before?: Uuid | undefined; readonly size: number; readonly now: Date },
): Promise<OrderListing[]> {
  const programs = filter.program_id === undefined ? await listPrograms(db) : [{ program_id: filter.program_id }]
  const found: ListedOrder[] = []
  for (const { program_id } of programs)
    found.push(...(await db.run(findPage({ ...filter, program_id }, { before, size }))))
  const page = found.sort((a, b) => (a.order_uuid < b.order_uuid ? 1 : -1)).slice(0, size)
  const views = new Map<string, OrderListing>()
  for (const [program_id, orders] of Map.groupBy(page, (order) => order.program_id)) {
    for (const view of await viewAll(db, program_id, { orders, now })) views.set(view.uuid, view)
  }
  return page.flatMap(({ order_uuid }) => views.get(order_uuid) ?? [])
}

/** One order with its payments. */
export interface OrderDetails extends OrderListing {
  readonly payments: readonly PaymentLine[]
}

/**
 * Shows one order of any merchant, with its payments, the tasks for their providers and what these refused.
 * @param text its uuid or reference number
 * @throws CliError when no order has it
 */
export async function showOrder(db: Database, text: string, now: Date): Promise<OrderDetails> {
  const uuid = parseUuid(text.trim())
  for (const { program_id } of await listPrograms(db)) {
    const order_uuid = uuid ?? (await db.one(findByReference(program_id, text.trim().toUpperCase())))?.order_uuid
    if (order_uuid === undefined) continue
    for (const order of await listOrders(db, { program_id, order_uuid }, { size: 1, now }))
      return { ...order, payments: (await db.run(findPaymentsOf(program_id, order_uuid))).map(viewPayment) }
  }
  throw new CliError(`There is no order ${text}.`)
}

/** Money in SAR. The command prints the tasks for the provider as `told`. */
interface PaymentLine extends Omit<PaymentOfOrder, 'amount_halalas' | 'tasks'> {
  readonly told: PaymentOfOrder['tasks']
  readonly amount: number
}

function viewPayment({ amount_halalas, tasks, ...payment }: PaymentOfOrder): PaymentLine {
  return { ...payment, told: tasks, amount: toSar(amount_halalas) }
}

async function viewAll(
  db: Database,
  program_id: number,
  { orders, now }: { readonly orders: readonly ListedOrder[]; readonly now: Date },
): Promise<OrderListing[]> {
  if (orders.length === 0) return []
  const uuids = orders.map(({ order_uuid }) => order_uuid)
  const lines = Map.groupBy(await db.run(findLedgerOf(program_id, uuids)), ({ order_uuid }) => order_uuid)
  return orders.map((order) => {
    const { merchant_id, phone, payment_method } = order
    const ledger = (lines.get(order.order_uuid) ?? []).map(viewLine)
    return { ...viewOrder(order, 'en', now), merchant_id, phone, payment_method, ledger }
  })
}

function viewLine({ order_uuid: _, created_at, ...line }: LedgerLine) {
  return { ...line, created_at: created_at.toISOString() }
}
