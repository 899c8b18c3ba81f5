// Prints the test files that .ci/run runs on a Citus cluster: all that ask for a database. Prints the excluded ones, with
// the reasons, on stderr.
import { globSync } from 'node:fs'
import { filesWith, print } from './suites.mjs'

const refusals = 'is about what is refused before a statement runs; test/citus/api-statements.test.ts asks every route'
const tried = (path) => `tries many inputs, which the service judges; ${path} runs the statements`
const noBackup = 'restores into databases of its own on one server; a spread database has no backup'
const dying = (path) => `is about processes that stop; ${path} runs their statements`

const leftOut = {
  'test/bench/expired.test.ts': 'measures the tables of one server',
  'test/regression/verification-missed-what-was-altered.test.ts':
    'breaks the ledger in ways that a cluster does not allow',
  'test/cli/verify.test.ts': 'breaks the ledger in ways that a cluster does not allow',
  'test/db/backup.test.ts': noBackup,
  'test/db/citus.test.ts': 'reads the catalogues and the plans of one server',
  'test/db/plans-of-single-statements.test.ts': 'reads the plans of one server',
  'test/db/retention.test.ts':
    'changes the schema for good; test/citus/schema.test.ts does it on a database of its own',
  'test/db/order-checks.test.ts': 'tries the CHECKs of one table hundreds of times, which a shard has from that table',
  'test/faults/backup.test.ts': noBackup,
  'test/regression/a-killed-restore-could-not-go-on.test.ts': noBackup,
  'test/regression/a-restored-backup-refunded-twice.test.ts': noBackup,
  'test/regression/a-restore-without-rights-was-sent-to-migrate.test.ts': noBackup,
  'test/faults/delivery.test.ts': dying('test/features/webhooks/'),
  'test/faults/interrupted-start.test.ts': 'starts the embedded database, and holds up a connection to one server',
  'test/faults/transaction.test.ts': 'breaks the sessions of its server, which a cluster has several of',
  'test/features/demo/year.test.ts': 'sends no statement that test/cli/demo.test.ts and others do not send',
  'test/features/merchants/list.test.ts': 'reads the plans of one server',
  'test/project/docs-samples.test.ts': 'is about the samples of the guides',
  'test/project/short-way.test.ts': 'is about the files that run, which are the same',
  'test/journeys/dashboard-permissions.test.ts':
    'asks mostly what is refused; test/citus/api-statements.test.ts asks every route',
  'test/journeys/checkout-choose.test.ts': tried('test/features/checkout/'),
  'test/journeys/earning-api.test.ts': tried('test/features/earning/'),
  'test/journeys/log-secrets.test.ts': 'is about the log, which is the same',
  'test/journeys/order-of-checks.test.ts': refusals,
  'test/journeys/rolling-restart.test.ts': dying('test/faults/kill.test.ts'),
  'test/journeys/start.test.ts': 'starts the embedded database, and one whose schema is missing',
  'test/features/deployment/operator-plans.test.ts': 'reads the plans of one server',
  'test/features/merchants/list-plan.test.ts': 'reads the plans of one server',
  'test/regression/a-long-queue-was-read-for-each-page.test.ts': 'reads the plans of one server',
  'test/regression/each-report-of-liability-added-up-all-entries.test.ts': 'reads the plans of one server',
  'test/regression/lists-of-orders-read-them-all.test.ts': 'reads the plans of one server',
  'test/regression/open-holds-read-the-whole-wallet.test.ts': 'reads the plans of one server',
  'test/regression/the-list-of-operators-sorted-the-whole-queue.test.ts': 'reads the plans of one server',
  'test/regression/verification-read-all-transfers-for-each-checkout.test.ts': 'reads the plans of one server',
  'test/regression/nul-from-a-stranger-answered-500.test.ts': refusals,
  'test/regression/one-purge-that-failed-kept-the-others-from-purging.test.ts':
    'breaks a table by a trigger, which a cluster does not allow',
  'test/regression/plans-were-made-for-empty-tables.test.ts': 'reads the plans of one server',
  'test/regression/plans-of-small-tables-were-kept.test.ts': 'reads the plans of one server',
  'test/regression/refused-row-was-logged.test.ts': 'reads the name of a table, which a cluster writes with its shard',
  'test/regression/sessions-stayed-read-only.test.ts': 'makes its server read-only, and looks at one session of it',
  'test/support/database.test.ts': 'is about databases that are cloned from a template',
}

print('Citus', [...filesWith('testDatabase', 'test/**/*.test.ts'), ...globSync('test/citus/*.test.ts')], leftOut)
