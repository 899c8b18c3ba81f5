import { endInOrderWithoutOutput, run } from './cli/run.ts'
import { isHangupIgnored } from './lib/hangup.ts'

endInOrderWithoutOutput()
if (isHangupIgnored()) process.on('SIGHUP', () => undefined)
process.exitCode = await run(process.argv)
