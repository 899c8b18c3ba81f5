import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest, in the order in which they start. Files that mostly wait stand between files that keep a
 * processor busy.
 */
const longest = [
  'test/journeys/start.test.ts',
  'test/dashboard/settings.test.ts',
  'test/faults/delivery.test.ts',
  'test/journeys/checkout-screens.test.ts',
  'test/dashboard/people.test.ts',
  'test/journeys/checkout-chromium.test.ts',
  'test/journeys/pasted-commands.test.ts',
  'test/dashboard/shell.test.ts',
  'test/faults/database-away.test.ts',
  'test/journeys/checkout-steps.test.ts',
  'test/journeys/wallet-browser.test.ts',
  'test/db/upgrade.test.ts',
  'test/dashboard/operators.test.ts',
  'test/regression/going-back-lost-a-secret-that-is-shown-once.test.ts',
  'test/regression/a-link-dropped-what-was-typed-in-a-small-form.test.ts',
  'test/faults/kill.test.ts',
  'test/journeys/card-chromium.test.ts',
  'test/dashboard/logs-chromium.test.ts',
  'test/dashboard/operator-health.test.ts',
  'test/journeys/demo-shop.test.ts',
  'test/faults/idempotency.test.ts',
  'test/features/idempotency/idempotency.test.ts',
  'test/journeys/rolling-restart.test.ts',
  'test/dashboard/settlements.test.ts',
  'test/journeys/api-samples.test.ts',
  'test/journeys/typescript-client.test.ts',
  'test/dashboard/orders.test.ts',
  'test/faults/transaction.test.ts',
  'test/faults/embedded-processes.test.ts',
  'test/dashboard/programs.test.ts',
  'test/dashboard/overview.test.ts',
  'test/db/backup.test.ts',
  'test/dashboard/liability.test.ts',
  'test/db/migrate.test.ts',
  'test/features/orders/races.test.ts',
  'test/regression/bodies-of-strangers-ended-the-process.test.ts',
  'test/features/checkout/races.test.ts',
  'test/cli/backup.test.ts',
  'test/journeys/dashboard-permissions.test.ts',
  'test/journeys/order-of-checks.test.ts',
  'test/faults/embedded.test.ts',
  'test/pages/gallery.test.ts',
  'test/pages/docs.test.ts',
  'test/cli/deliveries.test.ts',
  'test/http/malformed.property.test.ts',
  'test/properties/earning-model.test.ts',
  'test/features/webhooks/delivery.test.ts',
]

/** Starts with the slowest files, so that no worker still runs one when the others are done. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files)
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((path) => moduleId.endsWith(`/${path}`))
      return place === -1 ? longest.length : place
    }
    return others.sort((a, b) => placeOf(a) - placeOf(b))
  }
}
