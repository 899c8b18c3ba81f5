import type { Command } from 'commander'
import type { Database } from '../db/pool.ts'
import type { Uuid } from '../domain/ids.ts'
import { listCustomers } from '../features/customers/list.ts'
import { readPhone } from '../features/customers/service.ts'
import { findProgramNamed } from '../features/merchants/programs.ts'
import { blockCustomer, max_block_reason, unblockCustomer } from '../features/people/block.ts'
import { mergeCustomers } from '../features/people/merge.ts'
import { CliError } from '../lib/errors.ts'
import { addChange, addExamples, addIrreversible, type CommonOptions, describe, withOutput } from './command.ts'
import { confirmed, withDeployment } from './deployment.ts'
import { reasonText } from './values.ts'

interface OfProgram extends CommonOptions {
  readonly program?: string
}

export const ofProgram = ['--program <name>', 'program of the customer (default: the first)'] as const

async function customerOf(db: Database, program_id: number, typed: string): Promise<Uuid> {
  const [found] = await listCustomers(db, [{ program_id }], { phone: readPhone(typed), size: 1 })
  if (found === undefined) throw new CliError(`No customer of this program has the phone ${typed}.`)
  return found.customer_id
}

export function addCustomerChanges(group: Command): void {
  addBlock(group)
  addUnblock(group)
  addMerge(group)
}

function addBlock(group: Command): void {
  const does = 'keep a customer from signing in and using points, until it is lifted; points still come in'
  const block = addChange(group, 'block <phone>', does)
    .option(...ofProgram)
    .requiredOption('--reason <text>', 'why; operators alone read it', reasonText(max_block_reason))
  addExamples(block, ["nuqta customers block 0512345678 --reason 'The phone was stolen'"])
  block.action((phone: string, { reason, ...options }: OfProgram & { readonly reason: string }) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db, by }) => {
        const { program_id } = await findProgramNamed(db, options.program)
        const customer_id = await customerOf(db, program_id, phone)
        const view = await blockCustomer(db, { program_id, customer_id }, { reason, by })
        output.result(view, describe({ ...view }))
      }),
    ),
  )
}

function addUnblock(group: Command): void {
  const unblock = addChange(group, 'unblock <phone>', 'lift the block of a customer').option(...ofProgram)
  addExamples(unblock, ['nuqta customers unblock 0512345678'])
  unblock.action((phone: string, options: OfProgram) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db, by }) => {
        const { program_id } = await findProgramNamed(db, options.program)
        const customer_id = await customerOf(db, program_id, phone)
        const view = await unblockCustomer(db, { program_id, customer_id }, { by })
        output.result(view, describe({ ...view }))
      }),
    ),
  )
}

function addMerge(group: Command): void {
  const does = 'move all points of a number to another of the same person, and give the first one free'
  const merge = addIrreversible(group, 'merge <phone> <into>', does).option(...ofProgram)
  addExamples(merge, [
    'nuqta customers merge 0512345678 0598765432',
    'nuqta customers merge 0512345678 0598765432 --yes',
  ])
  merge.action((phone: string, into: string, options: OfProgram) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async (deployment) => {
        const { db, by } = deployment
        const { program_id, name, locale } = await findProgramNamed(db, options.program)
        const [from, into_phone] = [await customerOf(db, program_id, phone), readPhone(into)]
        await customerOf(db, program_id, into)
        const question = `Merge ${phone} into ${into} in the program ${name}? Nobody can undo it.`
        const { now } = await confirmed(options, deployment, question)
        const view = await mergeCustomers(
          { db, clock: { now: () => now } },
          { program_id, from, into_phone, locale, by },
        )
        output.result(view, describe({ ...view }))
      }),
    ),
  )
}
