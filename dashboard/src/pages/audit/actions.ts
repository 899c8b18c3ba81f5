import type { TextKey } from '../../texts/catalogue.ts'

/** The names of changes. One that has none is shown as the service names it. */
export const actionTexts: Readonly<Record<string, TextKey>> = {
  'customers.activate': 'audit.action_customers_activate',
  'customers.erase': 'audit.action_customers_erase',
  'deliveries.replay': 'audit.action_deliveries_replay',
  'keys.regenerate': 'audit.action_keys_regenerate',
  'merchant.brand': 'audit.action_merchant_brand',
  'merchant.create': 'audit.action_merchant_create',
  'merchant.payment': 'audit.action_merchant_payment',
  'merchant.rotate-checkout-secret': 'audit.action_merchant_rotate_checkout_secret',
  'merchant.set': 'audit.action_merchant_set',
  'orders.reverse': 'audit.action_orders_reverse',
  'program.rate': 'audit.action_program_rate',
  'program.set': 'audit.action_program_set',
  'program.terms': 'audit.action_program_terms',
  'proposal.confirm': 'audit.action_proposal_confirm',
  'proposal.make': 'audit.action_proposal_make',
  'proposal.reject': 'audit.action_proposal_reject',
  'settlement.close': 'audit.action_settlement_close',
  'wallet.adjust': 'audit.action_wallet_adjust',
  'webhooks.rotate': 'audit.action_webhooks_rotate',
  'webhooks.test': 'audit.action_webhooks_test',
}
