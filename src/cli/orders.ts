import { type Command, Option } from 'commander'
import { type OrderState, orderStates, orderType } from '../domain/order.ts'
import { readPhone } from '../features/customers/service.ts'
import { findMerchant } from '../features/merchants/service.ts'
import { listOrders, type OrderDetails, type OrderListing, showOrder } from '../features/orders/list.ts'
import {
  addCommand,
  addExamples,
  addGroup,
  addPaging,
  type CommonOptions,
  describe,
  listing,
  type PageOptions,
  printPage,
  uuidCursor,
  withOutput,
} from './command.ts'
import { withDeployment } from './deployment.ts'

interface ListOptions extends CommonOptions, PageOptions {
  readonly merchant?: string
  readonly phone?: string
  readonly status?: OrderState
  readonly number?: string
}

export function addOrderCommands(program: Command): void {
  const group = addGroup(program, 'orders', 'orders of all merchants: list and show them')
  const list = addPaging(addCommand(group, 'list', 'list orders, the newest first'))
    .option('--merchant <merchant>', 'of this merchant, by id or exact name')
    .option('--phone <phone>', 'of this customer')
    .addOption(new Option('--status <status>', 'in this financial state').choices(orderStates))
    .option('--number <number>', 'with this order_number')
  addExamples(list, [
    'nuqta orders list --phone 0512345678',
    "nuqta orders list --merchant 'Demo Store' --status partially_refunded --json",
    'nuqta orders list --limit 500 --after 0193e7a1-4b2c-7def-8123-456789abcdef',
  ])
  list.action((options: ListOptions) =>
    withOutput(options, (output) =>
      withDeployment(
        options,
        output,
        async ({ db, now }) => {
          const merchant = options.merchant === undefined ? undefined : await findMerchant(db, options.merchant)
          const phone = options.phone === undefined ? undefined : readPhone(options.phone)
          const { program_id, merchant_id } = merchant ?? {}
          const filter = { program_id, merchant_id, phone, status: options.status, order_number: options.number }
          const page = { before: uuidCursor(options), size: options.limit + 1, now }
          printPage(output, options, await listOrders(db, filter, page), {
            what: 'orders',
            row: (order) => output.result(order, line(order)),
            cursor: ({ uuid }) => uuid,
          })
        },
        listing,
      ),
    ),
  )
  const show = addCommand(group, 'show <order>', 'show one order, by uuid or reference number, with its ledger')
  addExamples(show, ['nuqta orders show 0193e7a1-4b2c-7def-8123-456789abcdef --json'])
  show.action((uuid: string, options: CommonOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db, now }) => {
        const order = await showOrder(db, uuid, now)
        output.result(order, text(order))
      }),
    ),
  )
}

function line(order: OrderListing): string {
  const amount = `${order.total_price.toFixed(2)} SAR, ${order.total_points} points`
  return `${order.uuid}  ${order.reference_number}  ${order.order_number}  ${order.order_status}  (${orderType(order.type)}, ${amount})`
}

function text({ ledger, items, payments, ...order }: OrderDetails): string[] {
  const products = items === undefined ? {} : { items: items.length }
  const moves = ledger.map(({ created_at, kind, points }) => `  ${created_at}  ${kind.padEnd(8)}${points}`)
  const paid = payments.flatMap(({ provider, state, amount, payment_uuid, error, told: tasks }) => [
    `  ${payment_uuid}  ${provider}  ${amount.toFixed(2)} SAR  ${state}${reason(error)}`,
    ...tasks.map((task) => `    ${task.kind} ${task.state}, tries ${task.attempts}${reason(task.error)}`),
  ])
  const money = paid.length === 0 ? [] : ['payments', ...paid]
  return [...describe({ ...order, ...products }), 'ledger', ...moves, ...money]
}

function reason(error: string | null): string {
  return error === null ? '' : `  (${error})`
}
