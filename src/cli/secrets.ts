import type { Command } from 'commander'
import type { Config } from '../config/config.ts'
import type { DataDirectory } from '../config/data-directory.ts'
import { requireSecretKey } from '../features/deployment/canary.ts'
import { rotateSecrets } from '../features/deployment/secret-key-rotation.ts'
import { beginKeyChange, endKeyChange, secretBoxOf } from '../features/deployment/secret-keys.ts'
import { counted } from '../lib/counted.ts'
import { CliError } from '../lib/errors.ts'
import { addExamples, addGroup, addIrreversible, type CommonOptions, withOutput } from './command.ts'
import { commandConfig, confirmed, type Deployment, secretBoxFrom, withDeployment } from './deployment.ts'

export function addSecretCommands(program: Command): void {
  const group = addGroup(program, 'secrets', 'the key under which secrets are stored')
  const rotate = addIrreversible(group, 'rotate', 'seal everything that is stored under a new secret key')
  rotate.addHelpText(
    'after',
    '\nNUQTA_SECRET_KEY is the new key and NUQTA_SECRET_KEY_OLD the former one; every process has both meanwhile. The key of an\n' +
      'embedded database is made anew while nuqta serve does not run. Interrupted, run it again. docs/secrets.md says more.',
  )
  addExamples(rotate, [
    'nuqta secrets rotate',
    'NUQTA_SECRET_KEY_FILE=new NUQTA_SECRET_KEY_OLD_FILE=old nuqta secrets rotate --json',
  ])
  rotate.action((options: CommonOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async (opened) => {
        const config = commandConfig(options)
        refuseBesideServe(config, opened)
        const deployment = await confirmed(options, opened, 'Seal all stored secrets under a new key?')
        const { db, dir, by } = deployment
        const files = await beginChangeInDirectory(config, deployment)
        const secrets = await secretBoxFrom(config, dir, db)
        const { resealed, unreadable, replaced } = await rotateSecrets({ db, secrets, by })
        if (files !== undefined) await endKeyChange(files)
        const kept = files === undefined ? keptInSettings(replaced) : keptInDirectory
        output.result({ resealed }, `Sealed ${counted(resealed, 'stored secret')} under ${kept.key}.`)
        for (const [where, count] of unreadable)
          output.note(`${count} in ${where} were sealed under neither key, and stay as they are.`)
        if (unreadable.size > 0) output.code = 1
        if (kept.note !== undefined) output.note(kept.note)
      }),
    ),
  )
}

const keptInDirectory = { key: 'the new key', note: undefined }

/** Unless a key was replaced, the one called old may be the next one, which must stay. */
function keptInSettings(replaced: boolean) {
  if (replaced)
    return { key: 'the new key', note: 'A day after every process has the new key, remove NUQTA_SECRET_KEY_OLD.' }
  const note =
    'If NUQTA_SECRET_KEY_OLD is the former key, remove it a day after every process has the new one. If it is the new key, ' +
    'keep it: swap the two in every process, then run this again (docs/secrets.md).'
  return { key: 'NUQTA_SECRET_KEY, as the rest was before', note }
}

/** Whether the key is a file of the data directory. */
const isKept = ({ secret_key, database_url }: Config): boolean => secret_key === undefined && database_url === undefined

/** A running `serve` has read the key in the data directory, so it must not run. */
function refuseBesideServe(config: Config, { attached }: Deployment): void {
  if (attached && isKept(config))
    throw new CliError('nuqta serve runs with the key in the data directory: stop it, then run this again.')
}

/** Begins to change a key kept in the data directory. */
async function beginChangeInDirectory(config: Config, { db, dir }: Deployment): Promise<DataDirectory | undefined> {
  if (!isKept(config) || dir === undefined) return undefined
  await requireSecretKey(db, await secretBoxOf(config, dir, db))
  await beginKeyChange(dir, db)
  return dir
}
