import { endQuietlyWithReader, run } from './cli/run.ts'

endQuietlyWithReader()
process.exitCode = await run(process.argv)
