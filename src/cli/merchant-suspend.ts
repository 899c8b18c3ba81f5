import type { Command } from 'commander'
import { max_suspension_reason, stageOf } from '../domain/merchant-review.ts'
import type { MerchantRow } from '../features/merchants/queries.ts'
import { findMerchant } from '../features/merchants/service.ts'
import { resumeMerchant, suspendMerchant } from '../features/merchants/suspension.ts'
import { addChange, addExamples, type CommonOptions, describe, withOutput } from './command.ts'
import { withDeployment } from './deployment.ts'
import { reasonText } from './values.ts'

interface SuspendOptions extends CommonOptions {
  readonly reason: string
  readonly keysOff?: boolean
}

interface ResumeOptions extends CommonOptions {
  readonly keysOn?: boolean
}

export function addSuspendCommands(group: Command): void {
  const suspend = addChange(
    group,
    'suspend <merchant>',
    'stop a merchant: it counts as not published, until it is resumed',
  )
    .requiredOption('--reason <text>', 'why; its team reads it', reasonText(max_suspension_reason))
    .option('--keys-off', 'refuse its keys too')
  addExamples(suspend, ["nuqta merchant suspend 'Corner Café' --reason 'The contract has ended'"])
  suspend.action((named: string, { reason, keysOff = false, ...options }: SuspendOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db, now, by }) => {
        const why = { reason, keys_off: keysOff, now, by }
        const view = viewStage(await suspendMerchant(db, await findMerchant(db, named), why))
        output.result(view, describe(view))
      }),
    ),
  )
  const resume = addChange(
    group,
    'resume <merchant>',
    'lift the suspension of a merchant: it is again what it was before',
  )
  resume.option('--keys-on', 'accept its keys again')
  addExamples(resume, ["nuqta merchant resume 'Corner Café'"])
  resume.action((named: string, { keysOn = false, ...options }: ResumeOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db, now, by }) => {
        const how = { keys_on: keysOn, now, by }
        const view = viewStage(await resumeMerchant(db, await findMerchant(db, named), how))
        output.result(view, describe(view))
      }),
    ),
  )
}

const viewStage = (row: MerchantRow) => ({
  merchant_id: row.merchant_id,
  name: row.name,
  stage: stageOf(row),
  suspended_reason: row.suspended_reason,
  key_status: row.key_status,
})
