import { Command, CommanderError } from 'commander'
import { ConfigError } from '../config/config.ts'
import { DataDirectoryError } from '../config/data-directory.ts'
import { EmbeddedError } from '../db/embedded/program.ts'
import { DatabaseSetupError, isConnectionLost } from '../db/failure.ts'
import { MigrationError } from '../db/migrate.ts'
import { CliError } from '../lib/errors.ts'
import { serviceVersion } from '../lib/version.ts'
import { scrub } from '../observability/log.ts'
import { addLedgerCommands, addReconcileCommand, addSettlementCommands } from './accounting.ts'
import { addBackupCommands } from './backup.ts'
import { addBenchCommand } from './bench.ts'
import { addExamples } from './command.ts'
import { addCustomerCommands, addWalletCommands } from './customers.ts'
import { addDoctorCommand } from './doctor.ts'
import { addMerchantCommands } from './merchant.ts'
import { addKeyCommands } from './merchant-keys.ts'
import { addOrderCommands } from './orders.ts'
import { addProgramCommands } from './program.ts'
import { addSecretCommands } from './secrets.ts'
import { addClockCommands, addServiceCommands } from './service.ts'
import { addDeliveryCommands, addWebhookCommands } from './webhooks.ts'

const refused = 1
const wrong_use = 2

/** Runs the command line and returns its exit code: 0 done, 1 refused or not clean, 2 wrong use. */
export async function run(argv: readonly string[]): Promise<number> {
  try {
    await buildProgram().parseAsync([...argv])
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return exitCodeOf(error)
    process.stderr.write(`${explain(error)}\n`)
    return error instanceof ConfigError ? wrong_use : refused
  }
}

/** Lets the reader of the output stop early (`| head`): the rest is dropped, and the command ends in order. */
export function endQuietlyWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  }
}

function buildProgram(): Command {
  const program = new Command('nuqta')
    .description('Loyalty points for merchants: the service and the commands of its operator.')
    .version(serviceVersion(), '-V, --version')
    .showSuggestionAfterError()
    .showHelpAfterError('Add --help for what it takes.')
    .exitOverride()
  addServiceCommands(program)
  addMerchantCommands(program)
  addKeyCommands(program)
  addProgramCommands(program)
  addWalletCommands(program)
  addCustomerCommands(program)
  addOrderCommands(program)
  addSettlementCommands(program)
  addWebhookCommands(program)
  addDeliveryCommands(program)
  addClockCommands(program)
  addLedgerCommands(program)
  addReconcileCommand(program)
  addSecretCommands(program)
  addBackupCommands(program)
  addDoctorCommand(program)
  addBenchCommand(program)
  return addExamples(program, [
    'nuqta serve',
    "nuqta merchant create --name 'Corner Café' --verified --published",
    'nuqta wallet show 0512345678',
    'nuqta doctor',
  ])
}

function exitCodeOf(error: CommanderError): number {
  // An action rejected a value: commander has printed every other mistake already.
  if (error.code === 'commander.invalidArgument' && !error.message.startsWith('error:'))
    process.stderr.write(`${error.message}\n`)
  return error.exitCode === 0 ? 0 : wrong_use
}

const operatorErrors = [CliError, ConfigError, DataDirectoryError, DatabaseSetupError, EmbeddedError, MigrationError]

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (operatorErrors.some((kind) => error instanceof kind)) return error.message
  // The text of an unexpected error may contain a key or a phone number.
  if (isConnectionLost(error)) return scrub(`The database cannot be reached: ${error.message}.`)
  return scrub(error.stack ?? error.message)
}
