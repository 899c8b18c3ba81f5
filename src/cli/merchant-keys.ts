import type { Command } from 'commander'
import type { Config } from '../config/config.ts'
import type { Transaction } from '../db/transaction.ts'
import { makeCheckoutSecret, rotateCheckoutSecret } from '../features/checkout/signing.ts'
import { replaceSandboxKeys } from '../features/deployment/sandbox.ts'
import { regenerateKeys } from '../features/merchants/keys.ts'
import type { MerchantRow } from '../features/merchants/queries.ts'
import { findMerchant } from '../features/merchants/service.ts'
import { addExamples, addGroup, addIrreversible, type CommonOptions, describe, withOutput } from './command.ts'
import { commandConfig, confirmed, type Deployment, secretsOf, withDeployment } from './deployment.ts'

interface RegenerateOptions extends CommonOptions {
  readonly public?: true
}

export function addKeyCommands(program: Command): void {
  const group = addGroup(program, 'keys', "merchants' API keys")
  const does = 'replace the private key of a merchant; the old one stops working at once'
  const regenerate = addIrreversible(group, 'regenerate <merchant>', does).option(
    '--public',
    'the public key too: pages and widgets that carry the old one stop working',
  )
  addExamples(regenerate, ["nuqta keys regenerate 'Demo Store'", 'nuqta keys regenerate 1 --public --json'])
  regenerate.action((merchantName: string, options: RegenerateOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async (deployment) => {
        const { db, dir, environment, by } = deployment
        const merchant = await findMerchant(db, merchantName)
        const which = options.public === true ? 'both' : 'private'
        const [what, new_one] = which === 'both' ? ['both keys', 'ones'] : ['the private key', 'one']
        const question = `Replace ${what} of ${merchant.name}? Its shop fails until it has the new ${new_one}.`
        const { now } = await confirmed(options, deployment, question)
        const pair = await regenerateKeys(db, merchant, { environment, now, by, which })
        if (dir !== undefined && (await replaceSandboxKeys(dir.sandboxEnv, merchant.public_key, pair)))
          output.note(`The new keys are in ${dir.sandboxEnv} too.`)
        const view = { merchant_id: merchant.merchant_id, ...pair }
        output.result(view, describe(view))
      }),
    ),
  )
}

/** Prepares the secret under which a merchant's server signs checkouts: created when the merchant has none yet. */
export async function prepareCheckoutSecret(
  config: Config,
  { db, dir }: Pick<Deployment, 'db' | 'dir'>,
  merchant: MerchantRow,
) {
  const secrets = await secretsOf(config, dir, db)
  let checkout_secret: string | null = null
  return {
    async make(tx: Transaction): Promise<void> {
      checkout_secret = await makeCheckoutSecret(tx, secrets, merchant, new Date())
    },
    /** The new secret, to be printed this once; undefined when the merchant had one before. */
    shown: () => (checkout_secret === null ? undefined : { checkout_secret }),
  }
}

export const secretUnchanged = 'Its checkout secret is unchanged; nuqta merchant rotate-checkout-secret replaces it.'

export function addRotateSecretCommand(group: Command): void {
  const rotate = addIrreversible(
    group,
    'rotate-checkout-secret <merchant>',
    'replace the secret of its signed checkouts; signatures with the old one are refused at once',
  )
  addExamples(rotate, ["nuqta merchant rotate-checkout-secret 'Corner Café'"])
  rotate.action((merchantName: string, options: CommonOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async (deployment) => {
        const { db, dir, by } = deployment
        const secrets = await secretsOf(commandConfig(options), dir, db)
        const { merchant_id, program_id, name, signed_checkouts } = await findMerchant(db, merchantName)
        const question = `Replace the checkout secret of ${name}? Its signed checkouts fail until it has the new one.`
        await confirmed(options, deployment, question)
        const owner = { program_id, merchant_id }
        const checkout_secret = await rotateCheckoutSecret({ db, secrets, by }, owner, new Date())
        const view = { merchant_id, program_id, name, signed_checkouts, checkout_secret }
        output.result(view, describe(view))
      }),
    ),
  )
}
