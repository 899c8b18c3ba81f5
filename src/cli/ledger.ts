import { availableParallelism } from 'node:os'
import type { Command } from 'commander'
import { type Difference, default_workers, type Verification, type Verified, verifyLedger } from '../db/verify.ts'
import { hour_ms } from '../domain/spans.ts'
import { counted } from '../lib/counted.ts'
import { addCommand, addExamples, addGroup, type CommonOptions, withOutput } from './command.ts'
import { withDeployment } from './deployment.ts'
import { whole } from './values.ts'

/** Checking one rule over millions of entries takes long. */
const query_timeout_ms = hour_ms

/**
 * Gives the number of connections that check at the same time, unless somebody names one: they leave one processor to the
 * service, whose earnings would otherwise wait for more than twice as long.
 */
export const workersFor = (processors: number): number => Math.min(default_workers, Math.max(1, processors - 1))

/** Reports progress on a terminal, on one line that is overwritten. */
function counter({ json = false, shell: { stderr } }: CommonOptions): ((verified: Verified) => void) | undefined {
  if (json || stderr.isTTY !== true) return undefined
  let printed_ms = 0
  return (verified) => {
    if (performance.now() - printed_ms < 200) return
    printed_ms = performance.now()
    stderr.write(`\r\u001b[K${describeCounts(verified)} …`)
  }
}

/** One line for each difference. */
export function describeDifferences(differences: readonly Difference[]): string[] {
  return differences.map(({ program_id, check, id, detail }) => `program ${program_id}: ${check} ${id}: ${detail}`)
}

/** How much was verified, and with which result. */
export function describeVerified({ differences, ...verified }: Verification): string {
  const found = differences.length === 0 ? 'no differences' : counted(differences.length, 'difference')
  return `${describeCounts(verified)}: ${found}`
}

function describeCounts({ transfers, entries, wallets }: Verified): string {
  const parts = [counted(transfers, 'transfer'), counted(entries, 'entry', 'entries'), counted(wallets, 'wallet')]
  return parts.join(', ')
}

interface VerifyCommandOptions extends CommonOptions {
  readonly figures?: boolean
  readonly workers?: number
}

export function addLedgerCommands(program: Command): void {
  const group = addGroup(program, 'ledger', 'the ledger of points')
  const verify = addCommand(group, 'verify', 'recompute the ledger from its entries; exit 1 when something is off')
  verify.option(
    '--workers <n>',
    'connections that check at a time, each with a processor (default: 2, but one less than there are processors)',
    whole(1, 8),
  )
  verify.option(
    '--figures',
    "also compare the dashboard's daily figures with the orders, and stored reports of liability with the entries",
  )
  addExamples(verify, ['nuqta ledger verify', 'nuqta ledger verify --workers 4 --json'])
  verify.action((options: VerifyCommandOptions) =>
    withOutput(options, (output) =>
      withDeployment(
        options,
        output,
        async ({ db }) => {
          const count = counter(options)
          const { workers = workersFor(availableParallelism()), figures = false } = options
          const verified = await verifyLedger(db, {
            workers,
            figures,
            ...(count === undefined ? {} : { progress: count }),
          })
          if (count !== undefined) options.shell.stderr.write('\r\u001b[K')
          const { transfers, entries, wallets, differences } = verified
          const text = [...describeDifferences(differences), describeVerified(verified)]
          output.result({ transfers, entries, wallets, differences }, text)
          if (differences.length > 0) output.code = 1
        },
        { pool: { query_timeout_ms, plans: 'whole_tables' } },
      ),
    ),
  )
}
