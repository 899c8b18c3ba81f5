import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { readTree } from '../support/tree.ts'

// A database keeps the checksum of each migration that it ran. A file moved, a comment was updated with its path, and every
// database that had run that migration was refused as another version.

/** The first digits of the SHA-256 of each migration. A new one adds a row; no row ever changes. */
const checksums: readonly (readonly [name: string, checksum: string])[] = [
  ['0001_programs_and_merchants.sql', '59c50968d5fa8e3d'],
  ['0002_customers_and_ledger.sql', 'e64bb9c4584b9aca'],
  ['0003_orders.sql', '01e943dc7d8265c7'],
  ['0004_events.sql', 'f9507fbb19ede24c'],
  ['0005_order_changes.sql', '53804e23677f25f1'],
  ['0006_webhooks.sql', 'f8199b20fa6c8243'],
  ['0007_checkout.sql', 'c26f83f1830e71dc'],
  ['0008_idempotency.sql', '2ee49ab09f533da9'],
  ['0009_deliveries.sql', '1dd837d468523bfe'],
  ['0010_hosted_checkout.sql', '3c86b879948c5a03'],
  ['0011_abandoned_checkouts.sql', '40aec3b0952a3b64'],
  ['0012_secret_canary.sql', '94b01e63a8d8eb89'],
  ['0013_signed_checkouts.sql', '5d470a1ff198b39a'],
  ['0014_limits.sql', 'fa5893e4c5534c47'],
  ['0015_without_points.sql', '1a3b8bb7e41c9d5b'],
  ['0016_lists_of_orders.sql', '7293dc031668face'],
  ['0017_programs_at_work.sql', '19a93f75fb541aac'],
  ['0018_write_probe.sql', '01296dd1e831d899'],
  ['0019_operators.sql', '990737cb21360a24'],
  ['0020_audit_and_erasure.sql', '4eceb2674910f69b'],
  ['0021_validate_customer_erased.sql', '97c2ba86dcded30a'],
  ['0022_staff.sql', 'b1e0ccdc65eb0761'],
  ['0023_daily_activity.sql', '038d2833c6eb0217'],
  ['0024_request_log.sql', '3339b19b3e6b300a'],
  ['0025_lists_of_the_dashboard.sql', '7d7e7678b65112f8'],
  ['0026_brand_and_settings.sql', 'c69ea9d16cee41dd'],
  ['0027_list_of_merchants.sql', 'a4d9e84ff9e7f418'],
  ['0028_programs.sql', '036e1a8af1c573d2'],
  ['0029_settlement.sql', '5aa6c4c457db7a3d'],
  ['0030_liability.sql', '94c0081acdeb4e66'],
  ['0031_operators_at_work.sql', '39af63b89aa724d9'],
  ['0032_remembered_browsers.sql', '9751ffb5375d2305'],
  ['0033_payment_methods.sql', '1a1aeba44b6b8f54'],
  ['0034_card.sql', 'b1939c7232b5f381'],
  ['0035_health.sql', 'ef38b15af9f556f1'],
  ['0036_entries_of_accounts.sql', 'e572592a9aac22c9'],
  ['0037_entry_indexes.sql', 'f3c68dcf31cb53e1'],
  ['0038_lists_of_programs.sql', '4d894d62f6f4a3a7'],
  ['0039_blocked_and_merged_wallets.sql', '3325c25df9e1d473'],
  ['0040_customers_by_name.sql', 'b31b9180f029d56e'],
  ['0041_settlement_runs.sql', '111d81b7b11efdee'],
  ['0042_paid_with.sql', '79381b0eef7a515a'],
  ['0043_requested_erasures.sql', '1e2f65214d307e42'],
  ['0044_due_deliveries.sql', '9e6455517b4f01f0'],
  ['0045_account_of_payment.sql', 'b7a391f82d29d02e'],
  ['0046_closed_wallets.sql', '9c3a8da34b3da9f1'],
  ['0047_wallets_of_erased_customers.sql', '3123529810ef744d'],
  ['0048_abandoned_by_remembered_browsers.sql', '02ba6fb98d589803'],
  ['0049_refused_tasks.sql', '74bae5475f9cd0bd'],
  ['0050_open_holds.sql', 'd0c0c24988f17ef5'],
  ['0051_settlements_of_runs.sql', '8526e5ab8726c1d9'],
  ['0052_given_up_numbers.sql', '55a61fbbf1357f1a'],
  ['0053_validate_given_up_numbers.sql', 'd12130d4e975cf6a'],
  ['0054_rows_past_retention.sql', '7b038c6a43b162e4'],
  ['0055_codes_of_delivery_errors.sql', '593ce622cd3eac77'],
  ['0056_orders_of_erasures.sql', 'a118620d1fe944ff'],
  ['0057_validate_orders_of_erasures.sql', '7d58a56e31d62bda'],
  ['0058_shops_of_a_sandbox.sql', 'c25359b7b5d609dd'],
  ['0059_customers_by_folded_name.sql', 'c0c3cd9ae3e97c79'],
]

it('a migration never changes, not even its comments', () => {
  const found = readTree('migrations/*.sql').map(({ path, text }) => [
    path.replace('migrations/', ''),
    createHash('sha256').update(text).digest('hex').slice(0, 16),
  ])
  expect(found.sort()).toEqual(checksums)
})
