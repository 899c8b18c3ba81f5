import type { Command } from 'commander'
import { type Verified, verifyLedger } from '../db/verify.ts'
import { addCommand, addGroup, examples, speak } from './command.ts'
import { type CommonOptions, withDeployment } from './deployment.ts'

/** A rule over millions of entries takes its time. */
const query_timeout_ms = 3_600_000

/** Says how far it has come, in one line that is written over; on a terminal only. */
function counter(json: boolean): ((verified: Verified) => void) | undefined {
  if (json || !process.stderr.isTTY) return undefined
  let told_ms = 0
  return ({ transfers, entries, wallets }) => {
    if (performance.now() - told_ms < 200) return
    told_ms = performance.now()
    const count = (n: number): string => n.toLocaleString('en')
    process.stderr.write(
      `\r\u001b[K${count(transfers)} transfers, ${count(entries)} entries, ${count(wallets)} wallets …`,
    )
  }
}

export function addLedgerCommands(program: Command): void {
  const group = addGroup(program, 'ledger', 'the ledger of points')
  const verify = addCommand(group, 'verify', 'recompute the ledger from its entries; exit 1 when something is off')
  examples(verify, ['nuqta ledger verify', 'nuqta ledger verify --json'])
  verify.action((options: CommonOptions) =>
    speak(options, (output) =>
      withDeployment(
        options,
        output,
        async ({ db }) => {
          const { transfers, entries, wallets, differences } = await verifyLedger(db, counter(options.json === true))
          if (process.stderr.isTTY && options.json !== true) process.stderr.write('\r\u001b[K')
          const lines = differences.map(
            ({ program_id, check, id, detail }) => `program ${program_id}: ${check} ${id}: ${detail}`,
          )
          const counted = `${transfers} transfers, ${entries} entries, ${wallets} wallets`
          const found = differences.length === 0 ? 'no differences' : `${differences.length} differences`
          output.result({ transfers, entries, wallets, differences }, [...lines, `${counted}: ${found}`].join('\n'))
          if (differences.length > 0) output.code = 1
        },
        { pool: { query_timeout_ms, plans: 'whole_tables' } },
      ),
    ),
  )
}
