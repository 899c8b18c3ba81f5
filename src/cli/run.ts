import { Command, CommanderError } from 'commander'
import type { FlagName } from '../config/settings.ts'
import { errorCode } from '../lib/errors.ts'
import { serviceVersion } from '../lib/version.ts'
import { addExamples, printable } from './command.ts'
import { exit_failed, exit_usage } from './exit-codes.ts'
import { processShell, type Shell } from './shell.ts'

type Add = (program: Command) => void

/** The functions that add commands, in the order of the help. */
const commands: readonly (readonly [names: readonly string[], load: () => Promise<Add>])[] = [
  [['serve', 'migrate', 'openapi'], async () => (await import('./service.ts')).addServiceCommands],
  [['merchant'], async () => (await import('./merchant.ts')).addMerchantCommands],
  [['keys'], async () => (await import('./merchant-keys.ts')).addKeyCommands],
  [['operator'], async () => (await import('./operator.ts')).addOperatorCommands],
  [['program'], async () => (await import('./program.ts')).addProgramCommands],
  [['proposal'], async () => (await import('./proposal.ts')).addProposalCommands],
  [['wallet'], async () => (await import('./customers.ts')).addWalletCommands],
  [['customers'], async () => (await import('./customers.ts')).addCustomerCommands],
  [['orders'], async () => (await import('./orders.ts')).addOrderCommands],
  [['settlement'], async () => (await import('./settlement.ts')).addSettlementCommands],
  [['liability'], async () => (await import('./liability.ts')).addLiabilityCommand],
  [['webhooks'], async () => (await import('./webhooks.ts')).addWebhookCommands],
  [['deliveries'], async () => (await import('./webhooks.ts')).addDeliveryCommands],
  [['clock'], async () => (await import('./service.ts')).addClockCommands],
  [['ledger'], async () => (await import('./ledger.ts')).addLedgerCommands],
  [['reconcile'], async () => (await import('./reconcile.ts')).addReconcileCommand],
  [['secrets'], async () => (await import('./secrets.ts')).addSecretCommands],
  [['backup', 'restore'], async () => (await import('./backup.ts')).addBackupCommands],
  [['doctor'], async () => (await import('./doctor.ts')).addDoctorCommand],
  [['audit'], async () => (await import('./audit.ts')).addAuditCommands],
  [['completion'], async () => (await import('./completion.ts')).addCompletionCommand],
  [['demo'], async () => (await import('./demo.ts')).addDemoCommand],
  [['bench'], async () => (await import('./bench.ts')).addBenchCommand],
]

/**
 * Runs the command line.
 * @param argv as in `process.argv`: the arguments begin at the third
 * @returns the exit code: 0 done, 1 refused or not clean, 2 wrong use
 */
export async function run(argv: readonly string[], shell: Shell = processShell()): Promise<number> {
  try {
    const program = await buildProgram(argv[2], shell)
    await program.parseAsync([...argv])
    return shell.exitCode
  } catch (error) {
    if (error instanceof CommanderError) return exitCodeOf(error, shell)
    // Loaded when needed: it knows the errors of every room.
    const { explainFailure } = await import('./failure.ts')
    const { lines, code } = explainFailure(error)
    shell.stderr.write(`${printable(lines)}\n`)
    return code
  }
}

/**
 * Lets output fail: the rest is dropped, and the command ends in order. A reader that stops early (`| head`) wants no more;
 * otherwise (a full disk) results are lost, and the command says so at its end, with exit code 1 in place of 0.
 */
export function endInOrderWithoutOutput(): void {
  let lost: Error | undefined
  process.stdout.on('error', (error) => {
    if (errorCode(error) !== 'EPIPE') lost ??= error
  })
  // A failure of this stream cannot be reported anywhere.
  process.stderr.on('error', () => undefined)
  process.on('exit', (code) => {
    if (code !== 0 || lost === undefined) return
    process.stderr.write(`${printable(`Standard output cannot be written: ${lost.message}.`)}\n`)
    process.exitCode = exit_failed
  })
}

/**
 * The table of commands: everything that help, completion and the manual page know. Loads only the command that is named
 * first; all of them for the help, for `completion` and for an unknown name; none for the version.
 */
export async function buildProgram(name?: string, shell: Shell = processShell()): Promise<Command> {
  const program = new Command('nuqta')
    .description('Loyalty points for merchants: the service and the commands of its operator.')
    .version(serviceVersion(), '-V, --version')
    .showSuggestionAfterError()
    .showHelpAfterError('Add --help for what it takes.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => shell.stdout.write(text),
      writeErr: (text) => shell.stderr.write(printable(text.split('\n'))),
    })
    // Every action finds the shell among its options.
    .hook('preAction', (_program, command) => {
      refuseEmpty(command)
      command.setOptionValue('shell', shell)
    })
  for (const [, load] of wantedBy(name)) (await load())(program)
  return addExamples(program, [
    'nuqta serve',
    "nuqta merchant create --name 'Corner Café' --verified --published",
    'nuqta wallet show 0512345678',
    'nuqta doctor',
  ])
}

/** Flags of settings. An empty one counts as not given, as in the environment. */
const settingFlags: Readonly<Record<FlagName, string>> = {
  data_dir: '--data-dir',
  environment: '--environment',
  port: '--port',
  host: '--host',
  role: '--role',
}

/** Refuses an empty text: a variable of a script was not set. Options with a parser are refused by it. */
function refuseEmpty(command: Command): void {
  const at = command.args.findIndex((text) => text.trim() === '')
  if (at >= 0) command.error(`error: argument '${command.registeredArguments[at]?.name() ?? ''}' is empty.`)
  const given = command.options.find((option) => {
    const value: unknown = command.getOptionValue(option.attributeName())
    const isText = option.parseArg === undefined && !Object.values(settingFlags).includes(option.long ?? '')
    return isText && typeof value === 'string' && value.trim() === ''
  })
  if (given !== undefined) command.error(`error: option '${given.flags}' is empty.`)
}

function wantedBy(name?: string): typeof commands {
  if (name === '--version' || name === '-V') return []
  const named = commands.filter(([names]) => name !== undefined && names.includes(name))
  return named.length > 0 && name !== 'completion' ? named : commands
}

function exitCodeOf(error: CommanderError, { stderr }: Shell): number {
  // An action rejected a value: commander has printed every other mistake already.
  if (error.code === 'commander.invalidArgument' && !error.message.startsWith('error:'))
    stderr.write(`${printable(error.message)}\n`)
  return error.exitCode === 0 ? 0 : exit_usage
}
