import { type Command, InvalidArgumentError } from 'commander'
import { readPhone } from '../features/customers/service.ts'
import { eraseWaiting } from '../features/erasure/job.ts'
import { countWaitingRequests } from '../features/erasure/request-queries.ts'
import { eraseCustomer, requireRights } from '../features/erasure/service.ts'
import { findProgramNamed, listPrograms } from '../features/merchants/programs.ts'
import { counted } from '../lib/counted.ts'
import { addExamples, addIrreversible, type CommonOptions, describe, type Output, withOutput } from './command.ts'
import { commandConfig, confirmed, type Deployment, secretsOf, withDeployment } from './deployment.ts'
import { explainFailure } from './failure.ts'

interface EraseOptions extends CommonOptions {
  readonly program?: string
  readonly requested?: boolean
}

/** Adds `customers erase`. */
export function addErase(group: Command): void {
  const does = 'make a customer unreadable for good; points and amounts stay in the ledger'
  const erase = addIrreversible(group, 'erase [phone]', does)
    .option('--program <name>', 'program of the customer (default: the first; with --requested all)')
    .option('--requested', 'erase those for whom operators asked in the dashboard; exit 1 when some have to wait')
  erase.addHelpText('after', '\nIt needs NUQTA_MIGRATION_URL beside DATABASE_URL. docs/erasure.md says what stays.')
  addExamples(erase, [
    'nuqta customers erase 0512345678',
    'nuqta customers erase 0512345678 --program Mall --yes',
    'nuqta customers erase --requested',
  ])
  erase.action((phone: string | undefined, options: EraseOptions) =>
    withOutput(options, (output) => {
      if ((phone === undefined) === (options.requested !== true))
        throw new InvalidArgumentError('Name a phone, or --requested.')
      return withDeployment(
        options,
        output,
        (deployment) =>
          phone === undefined
            ? eraseAllRequested(options, deployment, output)
            : eraseOne(options, deployment, output, phone),
        { owns: true },
      )
    }),
  )
}

async function eraseOne(options: EraseOptions, deployment: Deployment, output: Output, phone: string): Promise<void> {
  const { db, owner, dir, by } = deployment
  await requireRights(owner)
  const { program_id, name } = await findProgramNamed(db, options.program)
  const asked = { program_id, phone: readPhone(phone), typed: phone }
  const secrets = await secretsOf(commandConfig(options), dir, db)
  await confirmed(options, deployment, `Erase ${phone} from the program ${name}? Nobody can undo it.`)
  const view = await eraseCustomer({ owner, secrets, by }, asked)
  output.result(view, describe({ ...view }))
}

async function eraseAllRequested(options: EraseOptions, deployment: Deployment, output: Output): Promise<void> {
  const { db, owner, dir, by } = deployment
  await requireRights(owner)
  const { program } = options
  const programs = program === undefined ? await listPrograms(db) : [await findProgramNamed(db, program)]
  // The confirmation does not cover requests that come later.
  const until = new Date()
  let waiting = 0
  for (const { program_id } of programs)
    waiting += (await db.one(countWaitingRequests(program_id, until)))?.waiting ?? 0
  const secrets = await secretsOf(commandConfig(options), dir, db)
  if (waiting === 0) return output.note('No erasure waits.')
  const question = `Erase ${counted(waiting, 'customer')} for whom operators asked? Nobody can undo it.`
  await confirmed(options, deployment, question)
  for (const { program_id } of programs)
    for await (const { request, state, error } of eraseWaiting({ owner, secrets, by }, program_id, until)) {
      // A worker or an operator was faster.
      if (state === 'gone') continue
      if (state !== 'done') output.code = 1
      const { request_uuid, customer_id, asked_by } = request
      if (error !== undefined) for (const line of [explainFailure(error).lines].flat()) output.note(line)
      output.result(
        { program_id, request_uuid, customer_id, asked_by, state },
        `${customer_id}  ${state}  (${asked_by})`,
      )
    }
}
