import type { Command } from 'commander'
import { createReconcile, type Finding } from '../features/payments/reconciliation.ts'
import { OffsetClock } from '../lib/clock.ts'
import { createPaymentProviders } from '../ports.ts'
import { addCommand, examples, speak } from './command.ts'
import { type CommonOptions, commandConfig, withDeployment } from './deployment.ts'
import { secretsOf } from './secrets.ts'

/** Decisions §12; settings-and-commands, `reconcile`. The service does the same by itself, every five minutes. */
export function addReconcileCommand(program: Command): void {
  const command = addCommand(
    program,
    'reconcile',
    'compare payments of hosted checkouts with their providers; an order whose payment is not there is taken back',
  )
  examples(command, ['nuqta reconcile', 'nuqta reconcile --json'])
  command.action((options: CommonOptions) =>
    speak(options, (output) =>
      withDeployment(options, output, async ({ db, dir, environment, clock_offset_s }) => {
        const config = commandConfig(options)
        const { payment: settings, public_url, reconcile_grace_s: grace_s } = config
        const clock = new OffsetClock()
        clock.setOffset(clock_offset_s)
        const secrets = await secretsOf(config, dir, db)
        const payments = createPaymentProviders({ db, clock, secrets, environment, public_url, settings })
        let findings = 0
        const compared = await createReconcile({ db, clock, payments, grace_s })((finding) => {
          findings += 1
          output.result(finding, line(finding))
        })
        output.note(`${compared} payments compared, ${findings} findings`)
      }),
    ),
  )
}

const words: Readonly<Record<Finding['finding'], string>> = {
  missing: 'its provider does not know the payment',
  not_paid: 'its provider has not been paid',
  not_answered: 'its provider does not answer',
  capture_due: 'its provider is still to be told to take the money',
  account_changed: "its provider does not know the payment, and the merchant's account was changed since",
  amount_differs: 'its provider was paid another amount',
  refunded_elsewhere: 'its provider has paid back more than we asked for',
}

function line(finding: Finding): string {
  const { order_uuid, order_number, provider, amount, action, detail } = finding
  const said = `${words[finding.finding]} (${provider}: ${detail})`
  const back = `${finding.refund_points} points returned and ${finding.reversed_points} taken back`
  const done = action === 'none' ? 'nothing was changed' : `the order was taken back in full, ${back}`
  return `order ${order_uuid} (${order_number}), ${amount.toFixed(2)} SAR: ${said}; ${done}`
}
