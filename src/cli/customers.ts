import type { Command } from 'commander'
import { readPhone, showWallet } from '../features/customers/service.ts'
import { findProgramNamed } from '../features/merchants/programs.ts'
import { activateCustomer } from '../features/onboarding/activation.ts'
import { addCommand, addExamples, addGroup, type CommonOptions, describe, withOutput } from './command.ts'
import { withDeployment } from './deployment.ts'

interface ActivateOptions extends CommonOptions {
  readonly program?: string
}

export function addCustomerCommands(program: Command): void {
  const group = addGroup(program, 'customers', 'customers')
  const activate = addCommand(
    group,
    'activate <phone>',
    'make a customer active; earnings that waited become orders',
  ).option('--program <name>', 'program of the customer (default: the first)')
  addExamples(activate, ['nuqta customers activate 0512345678'])
  activate.action((phone: string, options: ActivateOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db, now }) => {
        const { program_id } = await findProgramNamed(db, options.program)
        const customer = { program_id, phone: readPhone(phone), typed: phone }
        const view = await activateCustomer(db, { now: () => now }, customer)
        output.result(view, describe({ ...view }))
      }),
    ),
  )
}

interface ShowOptions extends CommonOptions {
  readonly program?: string
}

export function addWalletCommands(program: Command): void {
  const group = addGroup(program, 'wallet', "customers' points")
  const show = addCommand(group, 'show <phone>', 'show the points of a customer').option(
    '--program <name>',
    'program of the wallet (default: the first)',
  )
  addExamples(show, ['nuqta wallet show 0512345678', "nuqta wallet show '+966 51 234 5678' --program Mall --json"])
  show.action((phone: string, options: ShowOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db }) => {
        const { program_id } = await findProgramNamed(db, options.program)
        const view = await showWallet(db, program_id, phone)
        output.result(view, describe({ ...view }))
      }),
    ),
  )
}
