import type { Command } from 'commander'
import { type Difference, type Verification, type Verified, verifyLedger } from '../db/verify.ts'
import { createReconcile, type Finding } from '../features/payments/reconciliation.ts'
import { OffsetClock } from '../lib/clock.ts'
import { createPaymentProviders } from '../ports.ts'
import { addChange, addCommand, addExamples, addGroup, type CommonOptions, withOutput } from './command.ts'
import { commandConfig, secretsOf, withDeployment } from './deployment.ts'
import { whole } from './values.ts'

/** Checking one rule over millions of entries takes long. */
const query_timeout_ms = 3_600_000

/** Reports progress on a terminal, on one line that is overwritten. */
function counter({ json = false, shell: { stderr } }: CommonOptions): ((verified: Verified) => void) | undefined {
  if (json || stderr.isTTY !== true) return undefined
  let printed_ms = 0
  return ({ transfers, entries, wallets }) => {
    if (performance.now() - printed_ms < 200) return
    printed_ms = performance.now()
    const count = (n: number): string => n.toLocaleString('en')
    stderr.write(`\r\u001b[K${count(transfers)} transfers, ${count(entries)} entries, ${count(wallets)} wallets …`)
  }
}

/** One line for each difference. */
export function describeDifferences(differences: readonly Difference[]): string[] {
  return differences.map(({ program_id, check, id, detail }) => `program ${program_id}: ${check} ${id}: ${detail}`)
}

/** How much was verified, and with which result. */
export function describeVerified({ transfers, entries, wallets, differences }: Verification): string {
  const found = differences.length === 0 ? 'no differences' : `${differences.length} differences`
  return `${transfers} transfers, ${entries} entries, ${wallets} wallets: ${found}`
}

interface VerifyCommandOptions extends CommonOptions {
  readonly figures?: boolean
  readonly workers: number
}

export function addLedgerCommands(program: Command): void {
  const group = addGroup(program, 'ledger', 'the ledger of points')
  const verify = addCommand(group, 'verify', 'recompute the ledger from its entries; exit 1 when something is off')
  verify.option('--workers <n>', 'connections that check at a time: 1 leaves most to the service', whole(1, 8), 2)
  verify.option(
    '--figures',
    "also compare the dashboard's daily figures with the orders, and stored reports of liability with the entries",
  )
  addExamples(verify, ['nuqta ledger verify', 'nuqta ledger verify --workers 1 --json'])
  verify.action((options: VerifyCommandOptions) =>
    withOutput(options, (output) =>
      withDeployment(
        options,
        output,
        async ({ db }) => {
          const count = counter(options)
          const { workers, figures = false } = options
          const verified = await verifyLedger(db, {
            workers,
            figures,
            ...(count === undefined ? {} : { progress: count }),
          })
          if (count !== undefined) options.shell.stderr.write('\r\u001b[K')
          const { transfers, entries, wallets, differences } = verified
          const text = [...describeDifferences(differences), describeVerified(verified)].join('\n')
          output.result({ transfers, entries, wallets, differences }, text)
          if (differences.length > 0) output.code = 1
        },
        { pool: { query_timeout_ms, plans: 'whole_tables' } },
      ),
    ),
  )
}

/** Adds `reconcile`. The service does the same every five minutes (docs/spec/payments.md#automatic-reversal). */
export function addReconcileCommand(program: Command): void {
  const command = addChange(
    program,
    'reconcile',
    'compare payments of hosted checkouts with their providers; an order whose payment is missing is reversed',
  )
  addExamples(command, ['nuqta reconcile', 'nuqta reconcile --json'])
  command.action((options: CommonOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db, dir, environment, clock_offset_s, by }) => {
        const config = commandConfig(options)
        const { payment: settings, public_url, reconcile_grace_s: grace_s } = config
        const clock = new OffsetClock()
        clock.setOffset(clock_offset_s)
        const secrets = await secretsOf(config, dir, db)
        const payments = createPaymentProviders({ db, clock, secrets, environment, public_url, settings })
        let findings = 0
        const compared = await createReconcile({ db, clock, payments, grace_s, by })((finding) => {
          findings += 1
          output.result(finding, line(finding))
        })
        output.note(`${compared} payments compared, ${findings} findings`)
      }),
    ),
  )
}

const findingTexts: Readonly<Record<Finding['finding'], string>> = {
  missing: 'its provider does not know the payment',
  not_paid: 'its provider has not been paid',
  not_answered: 'its provider does not answer',
  capture_due: 'its provider has not been asked to capture it yet',
  account_changed: "its provider does not know the payment, and the merchant's account was changed since",
  amount_differs: 'its provider was paid another amount',
  refunded_elsewhere: 'its provider has paid back more than we asked for',
}

function line(finding: Finding): string {
  const { order_uuid, order_number, provider, amount, action, detail } = finding
  const found = `${findingTexts[finding.finding]} (${provider}: ${detail})`
  const back = `${finding.refund_points} points returned and ${finding.reversed_points} taken back`
  const done = action === 'none' ? 'nothing was changed' : `the order was taken back in full, ${back}`
  return `order ${order_uuid} (${order_number}), ${amount.toFixed(2)} SAR: ${found}; ${done}`
}
