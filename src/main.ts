import { endInOrderWithoutOutput, run } from './cli/run.ts'

endInOrderWithoutOutput()
process.exitCode = await run(process.argv)
