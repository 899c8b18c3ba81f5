import { createReadStream, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import type { Command } from 'commander'
import type { BackupHeader, BackupSums } from '../db/backup/format.ts'
import { checkSeal, openBackup } from '../db/backup/reader.ts'
import type { Sink } from '../db/backup/writer.ts'
import type { Verification } from '../db/verify.ts'
import { hour_ms } from '../domain/spans.ts'
import {
  checkBackup,
  findKeys,
  type PreparedBackup,
  prepareBackup,
  type Restored,
  restoreBackup,
  verifyRestored,
} from '../features/deployment/backup.ts'
import { counted } from '../lib/counted.ts'
import { CliError, errorCode } from '../lib/errors.ts'
import { endingSignals } from '../lib/hangup.ts'
import { PartFile } from '../lib/part-file.ts'
import { addCommand, addExamples, type CommonOptions, type Output, withOutput } from './command.ts'
import { commandConfig, existingDirectory, withDatabase } from './deployment.ts'
import { describeDifferences, describeVerified } from './ledger.ts'
import { fileName } from './values.ts'

interface BackupOptions extends CommonOptions {
  readonly force?: boolean
}

/** The name that means standard output or standard input. */
const standard = '-'

/** A ledger of millions of entries takes long to check. */
const query_timeout_ms = hour_ms
const read_bytes = 262_144

/** Adds `backup` and `restore`. docs/backup.md */
export function addBackupCommands(program: Command): void {
  const backup = addCommand(program, 'backup', 'write the whole database to a file, also while the service runs')
    .argument('<file>', 'a new file, or - for standard output', fileName)
    .option('--force', 'replace the file if it exists')
  addExamples(backup, ['nuqta backup nuqta-2026-12-01.backup', 'nuqta backup - | ssh vault "cat > nuqta.backup"'])
  backup.action((file: string, options: BackupOptions) =>
    withOutput(options, (output) => runBackup(file, options, output)),
  )

  const restore = addCommand(
    program,
    'restore',
    'load a backup into an empty database, and verify its ledger',
  ).argument('<file>', 'a backup, or - for standard input', fileName)
  addExamples(restore, [
    'nuqta restore nuqta-2026-12-01.backup --data-dir restored',
    'DATABASE_URL=postgresql://nuqta@db/nuqta NUQTA_SECRET_KEY_FILE=key nuqta restore nuqta-2026-12-01.backup',
  ])
  restore.action((file: string, options: CommonOptions) =>
    withOutput(options, (output) => runRestore(file, options, output)),
  )
}

async function runBackup(file: string, options: BackupOptions, output: Output): Promise<void> {
  const config = commandConfig(options)
  await withDatabase({ config, output }, async ({ service }, dir) => {
    const backup = await prepareBackup(service, await findKeys(config, dir))
    const report = reporter(options)
    const sums = await (file === standard
      ? backup.write(standardOutput(), report.step)
      : writeFile(file, backup, { force: options.force === true, cwd: options.shell.cwd, onTable: report.step })
    ).finally(report.end)
    await backup.note()
    const text = `${describeSize(sums)}, ${counted(sums.bytes, 'byte')}, SHA-256 ${sums.sha256}`
    if (file === standard) output.note(text)
    else output.result({ file, ...sums }, `${file}: ${text}`)
  })
}

const describeSize = ({ rows, tables }: Pick<BackupSums, 'rows' | 'tables'>): string =>
  `${counted(rows, 'row')} of ${counted(tables, 'table')}`

async function writeFile(
  path: string,
  backup: PreparedBackup,
  { force, cwd, onTable }: { readonly force: boolean; readonly cwd: string; readonly onTable: Reporter['step'] },
): Promise<BackupSums> {
  const file = await PartFile.begin(path, { force, cwd })
  const interrupt = (): void => {
    file.discard()
    process.stderr.write('The backup was interrupted: nothing of it is left.\n')
    process.exit(1)
  }
  const signals = endingSignals()
  for (const signal of signals) process.on(signal, interrupt)
  try {
    const sums = await backup.write(file, onTable)
    await file.complete()
    return sums
  } catch (error) {
    await file.abandon()
    throw error
  } finally {
    for (const signal of signals) process.off(signal, interrupt)
  }
}

/** Standard output as a sink. A reader that goes away fails the backup. */
function standardOutput(): Sink {
  if (process.stdout.isTTY) throw new CliError('A backup is no text for a terminal: give a file, or pipe it on.')
  return {
    write: (bytes) =>
      new Promise((resolve, reject) => {
        process.stdout.write(bytes, (error) => {
          if (error) reject(new CliError(`Standard output cannot be written: ${error.message}.`))
          else resolve()
        })
      }),
  }
}

async function runRestore(file: string, options: CommonOptions, output: Output): Promise<void> {
  const config = commandConfig(options)
  const { stdin } = options.shell
  if (file === standard && 'isTTY' in stdin && stdin.isTTY === true)
    throw new CliError('A backup is not typed at a terminal: give a file, or pipe it in.')
  // A damaged file is refused before anything is made. A pipe can be read once, and shows its end only when it is loaded.
  if (isFile(file, options)) await checkSeal(bytesOf(file, options)).catch(explain(file))
  const bytes = bytesOf(file, options)
  try {
    const backup = await openBackup(bytes).catch(explain(file))
    const dir = await existingDirectory(config)
    await checkBackup(backup.header, config, await findKeys(config, dir))
    const needs = {
      creates: true,
      owns: true,
      bulk_load: true,
      pool: { query_timeout_ms, plans: 'whole_tables' },
    } as const
    await withDatabase({ config, output, needs }, async (open) => {
      const report = reporter(options)
      const step = (what: string): void => report.step(what, backup.progress().bytes)
      const restored = await restoreBackup(open, backup, step).finally(report.end)
      output.progress('The backup is restored. Verifying its ledger')
      const verified = await verifyRestored(open)
      printRestored(output, file, { ...restored, ...backup.progress() }, { header: backup.header, verified })
    })
  } finally {
    // An open pipe would keep the process alive.
    bytes.destroy()
  }
}

/** Whether a name is that of a file on disk: another one may be that of a pipe. */
function isFile(file: string, { shell }: CommonOptions): boolean {
  try {
    return file !== standard && statSync(resolve(shell.cwd, file), { throwIfNoEntry: false })?.isFile() === true
  } catch (error) {
    return explain(file)(error)
  }
}

function bytesOf(file: string, { shell }: CommonOptions): Readable {
  return file === standard ? process.stdin : createReadStream(resolve(shell.cwd, file), { highWaterMark: read_bytes })
}

/** Says in a sentence why a file cannot be read. */
function explain(file: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Error) || errorCode(error) === undefined) throw error
    throw new CliError(`${file} cannot be read: ${error.message}.`, { cause: error })
  }
}

function printRestored(
  output: Output,
  file: string,
  { tables, rows, applied, bytes, sha256 }: Restored & Pick<BackupSums, 'bytes' | 'sha256'>,
  { header, verified }: { readonly header: BackupHeader; readonly verified: Verification },
): void {
  const { environment, created_at } = header
  const { transfers, entries, wallets, differences } = verified
  const lines = [
    `${file}: ${describeSize({ rows, tables })}, as they were at ${created_at} (${environment}).`,
    ...(applied.length > 0 ? [`Applied ${applied.join(', ')}.`] : []),
    ...describeDifferences(differences),
    describeVerified(verified),
  ]
  const ledger = { transfers, entries, wallets, differences }
  output.result({ file, tables, rows, bytes, sha256, environment, created_at, applied, ...ledger }, lines)
  if (differences.length > 0) output.code = 1
}

interface Reporter {
  /** Says what is being done, and how much of the file was written or read before. */
  step(what: string, bytes: number): void
  end(): void
}

/** Reports progress on a terminal, on one line that is overwritten. */
function reporter({ json, shell: { stderr } }: CommonOptions): Reporter {
  if (json === true || stderr.isTTY !== true) return { step: () => undefined, end: () => undefined }
  const show = (text: string): void => void stderr.write(`\r\u001b[K${text}`)
  return {
    step: (what, bytes) => show(`${(bytes / 1_000_000).toFixed(1)} MB, ${what} …`),
    end: () => show(''),
  }
}
