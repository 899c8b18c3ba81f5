import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { type Command, Option } from 'commander'
import { type Config, ConfigError, loadConfig } from '../config/config.ts'
import type { DataDirectory } from '../config/data-directory.ts'
import { Sources } from '../config/sources.ts'
import { openDatabase } from '../db/open.ts'
import type { Database } from '../db/pool.ts'
import { checkConnections } from '../doctor/connection.ts'
import {
  checkBackupAge,
  checkDatabase,
  checkKeyIsRandom,
  checkRole,
  checkSecretKey,
  checkWrites,
  type ExaminedKeys,
} from '../doctor/database.ts'
import { type Finding, ok, problem } from '../doctor/finding.ts'
import {
  checkBinaries,
  checkCertificate,
  checkDataDirectory,
  checkDisk,
  checkNode,
  checkPort,
  checkUser,
  type Serving,
} from '../doctor/machine.ts'
import { checkPaymentAccounts, checkTestKeys } from '../doctor/payment-accounts.ts'
import { checkSecretFiles } from '../doctor/secret-files.ts'
import { readServing } from '../features/deployment/processes.ts'
import { CliError, messageOf } from '../lib/errors.ts'
import { createSecretBox, readSecretKey } from '../lib/secrets.ts'
import { addCommand, addExamples, type CommonOptions, type Output, withOutput } from './command.ts'
import { existingDirectory } from './deployment.ts'
import { troubleOf } from './failure.ts'

interface DoctorOptions extends CommonOptions {
  readonly role?: string
}

export function addDoctorCommand(program: Command): void {
  const doctor = addCommand(
    program,
    'doctor',
    'check the machine, the settings and the database; exit 1 on a problem',
  ).addOption(
    new Option('--role <role>', 'what runs here: all (default), api or worker, which needs no port and no certificate'),
  )
  addExamples(doctor, ['nuqta doctor', 'nuqta doctor --role worker', 'nuqta doctor --json'])
  doctor.action((options: DoctorOptions) =>
    withOutput(options, async (output) => {
      for await (const finding of examine(options, output)) {
        const { check, detail, advice } = finding
        const mark = finding.ok ? 'ok      ' : 'problem '
        output.result(finding, [
          `${mark} ${check}: ${detail}`,
          ...(advice?.split('\n') ?? []).map((line) => `         ${line}`),
        ])
        if (!finding.ok) output.code = 1
      }
    }),
  )
}

async function* examine(options: DoctorOptions, output: Output): AsyncGenerator<Finding> {
  yield checkNode()
  yield checkUser()
  yield checkSettings(options)
  yield* await checkSecretFiles(new Sources(options.shell.env, {}, options.shell.cwd).secretFiles())
  const config = configForChecks(options)
  if (config === undefined) return
  yield checkDataDirectory(config)
  yield checkDisk(config)
  if (config.database_url === undefined) yield checkBinaries(config)
  const { findings, ...serving } = await examineDatabase(config, output)
  yield* findings
  yield checkPort(config, serving)
  yield checkCertificate(config, serving)
}

/** Reads the settings as `serve` would. */
function checkSettings({ dataDir, role, shell: { env, cwd } }: DoctorOptions): Finding {
  try {
    const { environment } = loadConfig({ env, flags: { data_dir: dataDir, role }, cwd })
    return ok('settings', `a ${environment}`)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return problem('settings', `${error.mistakes.length} to correct`, error.mistakes.join('\n'))
  }
}

/** The other checks need fewer settings than `serve` does. */
function configForChecks({ dataDir, role, shell: { env, cwd } }: DoctorOptions): Config | undefined {
  try {
    return loadConfig({ env, flags: { data_dir: dataDir, role }, cwd, purpose: 'command' })
  } catch {
    return undefined
  }
}

const nothing_serves: Serving = { isServing: false, ports: [] }

async function examineDatabase(
  config: Config,
  { progress }: Output,
): Promise<Serving & { readonly findings: readonly Finding[] }> {
  try {
    const dir = await existingDirectory(config)
    if (config.database_url === undefined && (dir === undefined || !existsSync(dir.cluster)))
      return { findings: [ok('database', 'will be created at the first start')], ...nothing_serves }
    const open = await openDatabase(config, dir, {
      as: 'command',
      progress,
      log: () => undefined,
      warn: () => undefined,
    })
    try {
      const findings = await checkDatabase(open, config)
      if (!findings.some((finding) => finding.check === 'migrations' && finding.ok))
        return { findings, isServing: open.attached || !open.embedded, ports: [] }
      findings.push(...(await checkWrites(open.service)))
      findings.push(...(await examineKey(open.service, config, dir)))
      if (config.environment === 'production') findings.push(...(await examineProduction(open.service, config)))
      const serving = await readServing(open.service, hostname())
      const isServing = open.embedded ? open.attached : serving.isServing
      return { findings, ...(isServing ? { ...serving, isServing } : nothing_serves) }
    } finally {
      await open.close()
    }
  } catch (error) {
    const reason = troubleOf(error) ?? messageOf(error)
    // A running service keeps its port while an external database is away.
    const isServing = config.database_url === undefined ? false : 'unknown'
    return { findings: [problem('database', 'cannot be used', reason)], isServing, ports: [] }
  }
}

/** A sandbox may have any key and any connection, and no backup. */
async function examineProduction(
  db: Database,
  { secret_key, database_url, migration_url, payment }: Config,
): Promise<Finding[]> {
  return [
    ...(secret_key === undefined ? [] : checkKeyIsRandom(secret_key)),
    ...(await checkConnections([database_url, migration_url])),
    ...(await checkRole(db)),
    ...checkTestKeys(payment),
    ...(await checkBackupAge(db)),
  ]
}

/** Reads the keys as `serve` would, but creates none. */
async function examineKey(db: Database, config: Config, dir: DataDirectory | undefined): Promise<Finding[]> {
  try {
    const keys = await readKeys(config, dir)
    const { secret_key, secret_key_old } = keys
    const accounts =
      secret_key === null ? [] : await checkPaymentAccounts(db, createSecretBox(secret_key, secret_key_old))
    return [await checkSecretKey(db, keys), ...accounts]
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    return [problem('secret key', 'it cannot be read', error.message)]
  }
}

async function readKeys(
  { secret_key, secret_key_old, database_url }: Config,
  dir: DataDirectory | undefined,
): Promise<ExaminedKeys> {
  if (secret_key !== undefined || database_url !== undefined || dir === undefined)
    return { secret_key: secret_key ?? null, secret_key_old, kept: 'settings' }
  return {
    secret_key: await readSecretKey(dir.secretKey),
    secret_key_old: (await readSecretKey(dir.secretKeyOld)) ?? undefined,
    kept: 'directory',
  }
}
