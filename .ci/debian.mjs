// Prints the test files that .ci/run runs on Debian's PostgreSQL: those whose SQL another version could read otherwise. Pages,
// processes and providers do not depend on it. Prints the excluded ones, with the reasons, on stderr.
import { filesWith, print } from './suites.mjs'

const folders = 'test/{db,features,properties,regression}/**/*.test.ts'
print("Debian's PostgreSQL", filesWith('testDatabase|freshName', [folders, 'test/faults/transaction.test.ts']))
