import type { Command } from 'commander'
import type { Database } from '../db/pool.ts'
import { listPrograms } from '../features/merchants/programs.ts'
import type { MerchantRow } from '../features/merchants/queries.ts'
import { findMerchant, listMerchants } from '../features/merchants/service.ts'
import {
  closeSettlement,
  previewSettlement,
  type SettledMerchant,
  type SettlementView,
} from '../features/settlement/service.ts'
import { addCommand, addGroup, examples, speak } from './command.ts'
import { type CommonOptions, type Deployment, withDeployment } from './deployment.ts'
import { describe } from './output.ts'

interface SettlementOptions extends CommonOptions {
  readonly merchant?: string
}

export function addSettlementCommands(program: Command): void {
  const group = addGroup(program, 'settlement', 'what merchants and their program owe each other for points')
  add(group, 'preview', 'show what a settlement of now would contain', ({ db }, merchant) =>
    previewSettlement(db, merchant),
  )
  add(group, 'close', 'close settlements: their orders can no longer be refunded', ({ db, now }, merchant) =>
    closeSettlement(db, { now: () => now }, merchant),
  )
}

type Settle = (deployment: Deployment, merchant: SettledMerchant) => Promise<SettlementView>

function add(group: Command, name: string, description: string, settle: Settle): void {
  const command = addCommand(group, name, description).option(
    '--merchant <merchant>',
    'of this merchant alone, by id or exact name (default: each that has orders to settle)',
  )
  examples(command, [`nuqta settlement ${name}`, `nuqta settlement ${name} --merchant 'Demo Store' --json`])
  command.action((options: SettlementOptions) =>
    speak(options, (output) =>
      withDeployment(options, output, async (deployment) => {
        for (const merchant of await merchantsOf(deployment.db, options.merchant)) {
          const view = await settle(deployment, merchant)
          if (view.orders > 0 || options.merchant !== undefined) output.result(view, `${describe({ ...view })}\n`)
        }
      }),
    ),
  )
}

async function merchantsOf(db: Database, called: string | undefined): Promise<SettledMerchant[]> {
  const merchants: readonly MerchantRow[] =
    called === undefined ? await listMerchants(db) : [await findMerchant(db, called)]
  const values = new Map((await listPrograms(db)).map((one) => [one.program_id, one.micro_sar_per_point]))
  return merchants.map(({ program_id, merchant_id }) => {
    const micro_sar_per_point = values.get(program_id)
    if (micro_sar_per_point === undefined) throw new Error('a merchant without a program')
    return { program_id, merchant_id, micro_sar_per_point }
  })
}
