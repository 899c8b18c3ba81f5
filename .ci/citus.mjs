// Prints the test files that .ci/run runs on a Citus cluster: all that ask for a database. Prints the excluded ones, with
// the reasons, on stderr.
import { globSync } from 'node:fs'
import { filesWith, print } from './suites.mjs'

const leftOut = {
  'test/cli/verify.test.ts': 'breaks the ledger in ways that a cluster does not allow',
  'test/db/backup.test.ts': 'restores into databases of its own on one server; a spread database has no backup',
  'test/db/citus.test.ts': 'reads the catalogues and the plans of one server',
  'test/db/retention.test.ts':
    'changes the schema for good; test/citus/schema.test.ts does it on a database of its own',
  'test/faults/backup.test.ts': 'restores into databases of its own on one server; a spread database has no backup',
  'test/faults/transaction.test.ts': 'breaks the sessions of its server, which a cluster has several of',
  'test/features/merchants/list.test.ts': 'reads the plans of one server',
  'test/project/docs-samples.test.ts': 'is about the samples of the guides',
  'test/project/short-way.test.ts': 'is about the files that run, which are the same',
  'test/journeys/dashboard-permissions.test.ts':
    'asks mostly what is refused; test/citus/api-statements.test.ts asks every route',
  'test/journeys/start.test.ts': 'starts the embedded database, and one whose schema is missing',
  'test/features/deployment/operator-plans.test.ts': 'reads the plans of one server',
  'test/features/review/review.test.ts': 'reads the plans of one server',
  'test/features/staff/operators-of-each-other.test.ts':
    'changes rows by a statement of its own that a cluster refuses; test/citus/api-statements.test.ts asks its routes',
  'test/journeys/two-processes.test.ts': 'has not been seen to pass there yet',
  'test/regression/lists-of-orders-read-them-all.test.ts': 'reads the plans of one server',
  'test/regression/plans-were-made-for-empty-tables.test.ts': 'reads the plans of one server',
  'test/regression/refused-row-was-logged.test.ts': 'reads the name of a table, which a cluster writes with its shard',
  'test/regression/sessions-stayed-read-only.test.ts': 'makes its server read-only, and looks at one session of it',
  'test/support/database.test.ts': 'is about databases that are cloned from a template',
}

print('Citus', [...filesWith('testDatabase', 'test/**/*.test.ts'), ...globSync('test/citus/*.test.ts')], leftOut)
