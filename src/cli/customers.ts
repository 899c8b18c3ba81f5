import type { Command } from 'commander'
import { type CustomerView, listCustomers } from '../features/customers/list.ts'
import { readPhone, showWallet } from '../features/customers/service.ts'
import { activateCustomer } from '../features/earning/activation.ts'
import { findProgramNamed, listPrograms } from '../features/merchants/programs.ts'
import { CliError } from '../lib/errors.ts'
import {
  addChange,
  addCommand,
  addExamples,
  addGroup,
  addPaging,
  type CommonOptions,
  describe,
  type PageOptions,
  printPage,
  uuidCursor,
  withOutput,
} from './command.ts'
import { addCustomerChanges, ofProgram } from './customer-changes.ts'
import { addErase } from './customer-erase.ts'
import { withDeployment } from './deployment.ts'
import { addAdjustCommand } from './wallet-adjust.ts'

interface CustomerOptions extends CommonOptions {
  readonly program?: string
}

export function addCustomerCommands(program: Command): void {
  const group = addGroup(program, 'customers', 'customers: list, show, activate, block, merge and erase them')
  addList(group)
  const show = addCommand(group, 'show <phone>', 'show a customer').option(...ofProgram)
  addExamples(show, ['nuqta customers show 0512345678'])
  show.action((phone: string, options: CustomerOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db }) => {
        const { program_id } = await findProgramNamed(db, options.program)
        const [view] = await listCustomers(db, [{ program_id }], { phone: readPhone(phone), size: 1 })
        if (view === undefined) throw new CliError(`No customer of this program has the phone ${phone}.`)
        output.result(view, describe({ ...view }))
      }),
    ),
  )
  addActivate(group)
  addCustomerChanges(group)
  addErase(group)
}

function addList(group: Command): void {
  const list = addPaging(addCommand(group, 'list', 'list customers, the newest first')).option(
    '--program <name>',
    'of this program (default: of all)',
  )
  addExamples(list, ['nuqta customers list', 'nuqta customers list --program Mall --limit 500 --json'])
  list.action((options: CustomerOptions & PageOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db }) => {
        const { program, limit } = options
        const programs = program === undefined ? await listPrograms(db) : [await findProgramNamed(db, program)]
        const page = { before: uuidCursor(options), size: limit + 1 }
        printPage(output, options, await listCustomers(db, programs, page), {
          what: 'customers',
          row: (customer) => output.result(customer, line(customer)),
          cursor: ({ customer_id }) => customer_id,
        })
      }),
    ),
  )
}

function addActivate(group: Command): void {
  const does = 'make a customer active; earnings that waited become orders'
  const activate = addChange(group, 'activate <phone>', does).option(...ofProgram)
  addExamples(activate, ['nuqta customers activate 0512345678'])
  activate.action((phone: string, options: CustomerOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db, now, by }) => {
        const { program_id } = await findProgramNamed(db, options.program)
        const customer = { program_id, phone: readPhone(phone), typed: phone, by }
        const view = await activateCustomer(db, { now: () => now }, customer)
        output.result(view, describe({ ...view }))
      }),
    ),
  )
}

function line({ customer_id, phone, name, customer_status, posted }: CustomerView): string {
  return `${customer_id}  ${phone ?? '-'}  ${name ?? '-'}  (${customer_status}, ${posted} points)`
}

export function addWalletCommands(program: Command): void {
  const group = addGroup(program, 'wallet', "customers' points")
  const show = addCommand(group, 'show <phone>', 'show the points of a customer').option(
    '--program <name>',
    'program of the wallet (default: the first)',
  )
  addExamples(show, ['nuqta wallet show 0512345678', "nuqta wallet show '+966 51 234 5678' --program Mall --json"])
  show.action((phone: string, options: CustomerOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db }) => {
        const { program_id } = await findProgramNamed(db, options.program)
        const view = await showWallet(db, program_id, phone)
        output.result(view, describe({ ...view }))
      }),
    ),
  )
  addAdjustCommand(group)
}
