import { type Command, InvalidArgumentError } from 'commander'
import { asPoints, MAX_WALLET_POINTS, type Points } from '../domain/points.ts'
import { readPhone, showWallet } from '../features/customers/service.ts'
import { findProgramNamed } from '../features/merchants/programs.ts'
import { adjustWallet, max_adjust_reason } from '../features/wallet/adjust.ts'
import { addChange, addExamples, type CommonOptions, describe, withOutput } from './command.ts'
import { withDeployment } from './deployment.ts'
import { printProposal } from './proposal.ts'
import { reasonText } from './values.ts'

interface AdjustOptions extends CommonOptions {
  readonly program?: string
  readonly reason: string
}

/** Adds `wallet adjust`. */
export function addAdjustCommand(group: Command): void {
  const command = addChange(group, 'adjust <phone>', 'add points to a wallet by hand, or take them')
    .argument('<points>', 'how many; below 0 they are taken', adjustment)
    .requiredOption('--reason <text>', 'why; the customer reads it in the wallet', reasonText(max_adjust_reason))
    .option('--program <name>', 'program of the wallet (default: the first)')
  addExamples(command, [
    "nuqta wallet adjust 0512345678 500 --reason 'A gift for the delay'",
    "nuqta wallet adjust 0512345678 -500 --reason 'Given twice' --json",
  ])
  command.action((phone: string, points: Points, options: AdjustOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db, now, by }) => {
        const program = await findProgramNamed(db, options.program)
        const asked = { program, phone: readPhone(phone), typed: phone, points, reason: options.reason, by }
        const proposal = await adjustWallet(db, { now: () => now }, asked)
        if (proposal !== null) return printProposal(output, proposal, now)
        const view = await showWallet(db, program.program_id, phone)
        output.result(view, describe({ ...view }))
      }),
    ),
  )
}

function adjustment(text: string): Points {
  const value = Number(text)
  if (/^[+-]?\d{1,15}$/.test(text) && value !== 0 && Math.abs(value) <= MAX_WALLET_POINTS) return asPoints(value)
  throw new InvalidArgumentError('It must be a whole number of points, not 0 and at most 10^14.')
}
