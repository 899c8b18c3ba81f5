import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseEnv } from 'node:util'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { accountSettings } from '../config/providers.ts'
import { DomainError, type FieldError } from '../domain/failures.ts'
import {
  type AccountMistakes,
  type AccountProvider,
  accountFields,
  isTestKey,
  type PaymentAccount,
  readAccount,
} from '../domain/merchant.ts'
import { hasAccount, removeAccount, setAccount } from '../features/merchants/payment-credentials.ts'
import type { MerchantRow } from '../features/merchants/queries.ts'
import { findMerchant } from '../features/merchants/service.ts'
import { fieldText } from '../http/api/field-texts.ts'
import { CliError, errorCode } from '../lib/errors.ts'
import { addExamples, addIrreversible, type CommonOptions, describe, type Output, withOutput } from './command.ts'
import { commandConfig, confirmed, type Deployment, secretsOf, withDeployment } from './deployment.ts'
import type { Shell } from './shell.ts'
import { fileName } from './values.ts'

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
    .option(
      '--credentials <file>',
      'store these: a file of lines like server_key=…, or - for the standard input',
      fileName,
    )
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
      return withDeployment(options, output, async (deployment) => {
        const { db, dir, by } = deployment
        const merchant = await findMerchant(db, merchantName)
        if (account !== undefined) {
          const secrets = await secretsOf(commandConfig(options), dir, db)
          await setAccount({ db, secrets, by }, merchant, account)
          noteTestKey(output, deployment, account)
        } else if (!(await removeConfirmed(options, deployment, merchant))) {
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

function noteTestKey(output: Output, { environment }: Deployment, account: PaymentAccount): void {
  if (environment === 'production' && account.provider === 'moyasar' && isTestKey(account.secret_key))
    output.note("This is a test key: customers' cards are not charged. A live key begins with sk_live_.")
}

/** False if there were none. */
async function removeConfirmed(
  options: PaymentOptions,
  deployment: Deployment,
  merchant: MerchantRow,
): Promise<boolean> {
  const { db, by } = await confirmed(
    options,
    deployment,
    `Delete the credentials of ${merchant.name} at ${options.provider}?`,
  )
  return removeAccount(db, merchant, options.provider, by)
}

/** Reads an account from a file: anybody on the machine could read it on the command line. */
async function accountIn(file: string, provider: AccountProvider, shell: Shell): Promise<PaymentAccount> {
  const account = readAccount(provider, parseEnv(await readFile(file, shell)))
  if ('missing' in account) throw new CliError(`The credentials cannot be used: ${explainMistakes(provider, account)}`)
  return account
}

/** Shows no values. */
function explainMistakes(provider: AccountProvider, { unknown, missing, unusable }: AccountMistakes): string {
  const names = accountFields[provider].join(' and ')
  if (unknown.length > 0) return `${unknown.join(', ')}: an account of ${provider} has ${names}.`
  return `${[...missing, ...unusable].join(' and ')} missing, or not a text of printable characters.`
}

async function readFile(file: string, { cwd, stdin }: Shell): Promise<string> {
  try {
    return await text(file === '-' ? stdin : createReadStream(resolve(cwd, file), { end: max_file_bytes }))
  } catch (error) {
    const code = errorCode(error) ?? String(error)
    throw new CliError(`The credentials in ${file} cannot be read (${code}).`, { cause: error })
  }
}

/** Explains in the words of the commands why payment settings do not fit. */
export function explainPayment({ merchant_id }: { readonly merchant_id: number }): (error: unknown) => never {
  return (error) => {
    const [mistake] = error instanceof DomainError && error.failure.kind === 'validation' ? error.failure.errors : []
    throw mistake === undefined ? error : new CliError(sentenceFor(mistake, merchant_id) ?? fieldText(mistake, 'en'))
  }
}

function sentenceFor({ rule, limit }: FieldError, merchant_id: number): string | undefined {
  if (rule === 'sandbox_only') return 'The payment provider sandbox takes no money: it is for a sandbox only.'
  if (rule === 'sale_only')
    return "Moyasar's hosted page takes money at once and reserves none: use --payment-flow sale with it, or --payment paytabs."
  if (rule !== 'no_credentials' || (limit !== 'paytabs' && limit !== 'moyasar')) return undefined
  return (
    `There are no credentials for ${limit}: set ${accountSettings[limit].join(' and ')}, or give the merchant its own ` +
    `with nuqta merchant payment ${merchant_id} --provider ${limit} --credentials FILE.`
  )
}
