import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest, in the order in which they start. Files that mostly wait stand between files that keep a
 * processor busy.
 */
const longest = [
  'test/journeys/start.test.ts',
  'test/dashboard/settings.test.ts',
  'test/journeys/checkout-chromium.test.ts',
  'test/faults/delivery.test.ts',
  'test/dashboard/people.test.ts',
  'test/journeys/pasted-commands.test.ts',
  'test/dashboard/shell.test.ts',
  'test/faults/database-away.test.ts',
  'test/dashboard/operators.test.ts',
  'test/dashboard/operator-health.test.ts',
  'test/journeys/card-chromium.test.ts',
  'test/journeys/checkout-screens.test.ts',
  'test/journeys/rolling-restart.test.ts',
  'test/dashboard/orders.test.ts',
  'test/faults/kill.test.ts',
  'test/db/upgrade.test.ts',
  'test/dashboard/logs-chromium.test.ts',
  'test/faults/idempotency.test.ts',
  'test/dashboard/programs.test.ts',
  'test/dashboard/overview.test.ts',
  'test/dashboard/liability.test.ts',
  'test/db/backup.test.ts',
  'test/journeys/checkout-steps.test.ts',
  'test/journeys/demo-shop.test.ts',
  'test/journeys/wallet-browser.test.ts',
  // On a cluster.
  'test/features/idempotency/idempotency.test.ts',
  'test/features/orders/races.test.ts',
  'test/features/checkout/races.test.ts',
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
