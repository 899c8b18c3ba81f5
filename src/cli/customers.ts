import type { Command } from 'commander'
import { readPhone } from '../features/customers/service.ts'
import { findProgramNamed } from '../features/merchants/programs.ts'
import { activateCustomer } from '../features/onboarding/activation.ts'
import { addCommand, addGroup, examples, speak } from './command.ts'
import { type CommonOptions, withDeployment } from './deployment.ts'
import { describe } from './output.ts'

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
  examples(activate, ['nuqta customers activate 0512345678'])
  activate.action((phone: string, options: ActivateOptions) =>
    speak(options, (output) =>
      withDeployment(options, output, async ({ db, now }) => {
        const { program_id } = await findProgramNamed(db, options.program)
        const customer = { program_id, phone: readPhone(phone), typed: phone }
        const view = await activateCustomer(db, { now: () => now }, customer)
        output.result(view, describe({ ...view }))
      }),
    ),
  )
}
