import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseEnv } from 'node:util'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Database } from '../db/pool.ts'
import type { Actor } from '../domain/audit.ts'
import { type AccountProvider, accountFields, type PaymentAccount, readAccount } from '../domain/merchant.ts'
import { hasAccount, removeAccount, setAccount } from '../features/merchants/payment-credentials.ts'
import type { MerchantRow } from '../features/merchants/queries.ts'
import { findMerchant } from '../features/merchants/service.ts'
import { CliError } from '../lib/errors.ts'
import { addExamples, addIrreversible, type CommonOptions, describe, withOutput } from './command.ts'
import { confirm } from './confirm.ts'
import { commandConfig, secretsOf, withDeployment } from './deployment.ts'
import type { Shell } from './shell.ts'

interface PaymentOptions extends CommonOptions {
  readonly provider: AccountProvider
  readonly credentials?: string
  readonly remove?: true
}

const max_file_bytes = 65_536

/** Adds `merchant payment`: sets or removes a merchant's own account at a payment provider. */
export function addPaymentCommand(group: Command): void {
  const names = Object.keys(accountFields)
  const command = addIrreversible(
    group,
    'payment <merchant>',
    'set or remove its own credentials at a payment provider',
  )
    .addOption(new Option('--provider <provider>', 'whose').choices(names).makeOptionMandatory())
    .option('--credentials <file>', 'store these: a file of lines like server_key=…, or - for the standard input')
    .addOption(new Option('--remove', 'delete them: the deployment’s own are used').conflicts('credentials'))
  command.addHelpText(
    'after',
    `\nA file for paytabs has ${accountFields.paytabs.join(' and ')}; one for moyasar has ${accountFields.moyasar.join(' and ')}.`,
  )
  addExamples(command, [
    "nuqta merchant payment 'Corner Café' --provider paytabs --credentials paytabs.env",
    'nuqta merchant payment 7 --provider moyasar --credentials - < moyasar.env',
    'nuqta merchant payment 7 --provider paytabs --remove',
  ])
  command.action((merchantName: string, options: PaymentOptions) =>
    withOutput(options, async (output) => {
      const { provider, credentials, remove } = options
      if (credentials === undefined && remove === undefined)
        throw new InvalidArgumentError('Nothing to do: give --credentials or --remove.')
      const account = credentials === undefined ? undefined : await accountIn(credentials, provider, options.shell)
      return withDeployment(options, output, async ({ db, dir, by }) => {
        const merchant = await findMerchant(db, merchantName)
        if (account !== undefined) {
          const secrets = await secretsOf(commandConfig(options), dir, db)
          await setAccount({ db, secrets, by }, merchant, account)
        } else if (!(await removeConfirmed(options, db, { merchant, by }))) {
          throw new CliError(`${merchant.name} has no credentials of its own at ${provider}.`)
        } else {
          output.note('Payments made with them cannot be captured, voided or refunded until they are set again.')
        }
        const { merchant_id, program_id, name } = merchant
        const own_credentials = await hasAccount(db, merchant, provider)
        const view = { merchant_id, program_id, name, provider, own_credentials }
        output.result(view, describe(view))
      })
    }),
  )
}

/** False if there were none. */
async function removeConfirmed(
  options: PaymentOptions,
  db: Database,
  { merchant, by }: { readonly merchant: MerchantRow; readonly by: Actor },
): Promise<boolean> {
  await confirm(options, `Delete the credentials of ${merchant.name} at ${options.provider}?`)
  return removeAccount(db, merchant, options.provider, by)
}

/** Reads an account from a file: anybody on the machine could read it on the command line. */
async function accountIn(file: string, provider: AccountProvider, shell: Shell): Promise<PaymentAccount> {
  const account = readAccount(provider, parseEnv(await readFile(file, shell)))
  if ('wrong' in account) throw new CliError(`The credentials cannot be used: ${account.wrong}`)
  return account
}

async function readFile(file: string, { cwd, stdin }: Shell): Promise<string> {
  try {
    return await text(file === '-' ? stdin : createReadStream(resolve(cwd, file), { end: max_file_bytes }))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new CliError(`The credentials in ${file} cannot be read (${code}).`, { cause: error })
  }
}
