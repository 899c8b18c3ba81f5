import type { Command } from 'commander'
import { createPaymentProviders } from '../app/ports.ts'
import { createReconcile, type Finding } from '../features/payments/reconciliation.ts'
import { OffsetClock } from '../lib/clock.ts'
import { counted } from '../lib/counted.ts'
import { addChange, addExamples, type CommonOptions, withOutput } from './command.ts'
import { commandConfig, secretsOf, withDeployment } from './deployment.ts'

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
        output.note(`${counted(compared, 'payment')} compared, ${counted(findings, 'finding')}`)
      }),
    ),
  )
}

const findingTexts: Readonly<Record<Finding['finding'], string>> = {
  missing: 'its provider does not know the payment',
  not_paid: 'its provider has not been paid',
  not_answered: 'its provider does not answer',
  capture_due: 'its provider has not been asked to capture it yet',
  account_changed: 'its provider does not know the payment, which was made through another account',
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
