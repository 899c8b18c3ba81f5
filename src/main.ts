import { endQuietlyWithReader } from './cli/output.ts'
import { run } from './cli/run.ts'

endQuietlyWithReader()
process.exitCode = await run(process.argv)
