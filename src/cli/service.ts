import { type Command, Option } from 'commander'
import { loadConfig } from '../config/config.ts'
import { distributeTables } from '../db/citus.ts'
import { migrateNow } from '../db/prepare.ts'
import { type ClockView, moveClock, showClock } from '../features/deployment/clock.ts'
import { CliError } from '../lib/errors.ts'
import { addChange, addCommand, addExamples, addGroup, type CommonOptions, describe, withOutput } from './command.ts'
import { commandConfig, type Deployment, withDatabase, withDeployment } from './deployment.ts'
import { duration, instant } from './values.ts'

interface ServeOptions extends CommonOptions {
  readonly port?: string
  readonly host?: string
  readonly environment?: string
  readonly role?: string
  readonly empty?: boolean
}

interface MigrateOptions extends CommonOptions {
  readonly citus?: boolean
}

/** Adds `serve`, `migrate` and `openapi`. The modules of the service are loaded only by the commands that need them. */
export function addServiceCommands(program: Command): void {
  addServe(program)
  addMigrate(program)
  addCommand(program, 'openapi', 'print the description of the API (OpenAPI 3.1)').action((options: CommonOptions) =>
    withOutput(options, async (output) => {
      const [{ buildOpenApi }, { routes }] = await Promise.all([
        import('../http/api/openapi.ts'),
        import('../routes.ts'),
      ])
      const description = buildOpenApi(routes)
      output.result(description, JSON.stringify(description, null, 2).split('\n'))
    }),
  )
}

function addServe(program: Command): void {
  const command = addCommand(program, 'serve', 'run the service until it is stopped')
    .option('--port <port>', 'port of the API (default: 8443 in a sandbox, 443 in production; 0: any free one)')
    .option('--host <address>', 'address to listen on (default: loopback in a sandbox, every address in production)')
    .addOption(new Option('--environment <name>', 'sandbox (default) or production'))
    .addOption(new Option('--role <role>', 'all (default), api without background work, or worker without API'))
    .option('--empty', 'leave out the shops and the history that a new sandbox begins with, but the first shop')
  addExamples(command, [
    'nuqta serve',
    'nuqta serve --port 9443 --data-dir /var/lib/nuqta',
    'DATABASE_URL=postgresql://nuqta@db/nuqta NUQTA_SECRET_KEY_FILE=/run/secrets/nuqta nuqta serve --role api',
  ])
  command.action(async ({ dataDir, port, host, environment, role, json, empty, shell }: ServeOptions) => {
    const flags = { data_dir: dataDir, port, host, environment, role }
    const config = loadConfig({ env: shell.env, flags, cwd: shell.cwd })
    const { serve } = await import('../app/serve.ts')
    process.exit(await serve(config, { json: json === true, empty: empty === true, ...shell }))
  })
}

function addMigrate(program: Command): void {
  const command = addCommand(program, 'migrate', 'bring the database up to this version').option(
    '--citus',
    'spread the tables over a Citus cluster',
  )
  addExamples(command, ['nuqta migrate', 'NUQTA_MIGRATION_URL=postgresql://owner@db/nuqta nuqta migrate'])
  command.action((options: MigrateOptions) =>
    withOutput(options, (output) => {
      const config = commandConfig(options)
      if (options.citus === true && config.database_url === undefined)
        throw new CliError(
          'The embedded PostgreSQL has no Citus: name the coordinator of your cluster in DATABASE_URL.',
        )
      return withDatabase({ config, output, needs: { creates: true, owns: true } }, async (open) => {
        const applied = await migrateNow(open, output.progress)
        const distributed = options.citus ? await distributeTables(open.owner) : []
        const text = applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`
        const spread = distributed.length === 0 ? [] : [`Spread ${distributed.join(', ')}.`]
        output.result(options.citus ? { applied, distributed } : { applied }, [text, ...spread])
      })
    }),
  )
}

/** Moves the clock to this many seconds from the machine's. */
function move(deployment: Deployment, offset_s: number): Promise<ClockView> {
  return moveClock(deployment.db, deployment, offset_s, deployment.by)
}

type Move = (deployment: Deployment) => Promise<ClockView> | ClockView

export function addClockCommands(program: Command): void {
  const group = addGroup(program, 'clock', "a sandbox's clock: dates, windows and expiries follow it")
  const run = (options: CommonOptions, moved: Move): Promise<void> =>
    withOutput(options, (output) =>
      withDeployment(options, output, async (deployment) => {
        const view = await moved(deployment)
        output.result(view, describe({ ...view }))
      }),
    )
  addCommand(group, 'show', 'show the time').action((options: CommonOptions) => run(options, showClock))
  const set = addChange(group, 'set', 'move the clock to an instant').argument('<instant>', 'ISO 8601', instant)
  addExamples(set, ['nuqta clock set 2027-01-31T09:00:00Z'])
  // Up to a second later, and never before: an instant at midnight is not the day before.
  set.action((at_ms: number, options: CommonOptions) =>
    run(options, (deployment) => move(deployment, Math.ceil((at_ms - Date.now()) / 1000))),
  )
  const advance = addChange(group, 'advance', 'move the clock on').argument('<duration>', '45d, 2h, 10m, 30s', duration)
  addExamples(advance, ['nuqta clock advance 31d'])
  advance.action((ahead_s: number, options: CommonOptions) =>
    run(options, (deployment) => move(deployment, deployment.clock_offset_s + ahead_s)),
  )
  addChange(group, 'reset', "follow the machine's clock again").action((options: CommonOptions) =>
    run(options, (deployment) => move(deployment, 0)),
  )
}
