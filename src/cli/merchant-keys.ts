import type { Command } from 'commander'
import type { Config } from '../config/config.ts'
import type { Transaction } from '../db/transaction.ts'
import { makeCheckoutSecret, rotateCheckoutSecret } from '../features/checkout/signing.ts'
import { replaceSandboxKeys } from '../features/deployment/sandbox-env.ts'
import { regenerateKeys } from '../features/merchants/keys.ts'
import type { MerchantRow } from '../features/merchants/queries.ts'
import { findMerchant } from '../features/merchants/service.ts'
import { addCommand, addGroup, describe, examples, speak } from './command.ts'
import { type CommonOptions, commandConfig, type Deployment, secretsOf, withDeployment } from './deployment.ts'

export function addKeyCommands(program: Command): void {
  const group = addGroup(program, 'keys', "merchants' API keys")
  const regenerate = addCommand(group, 'regenerate <merchant>', 'replace a key pair; the old one stops working at once')
  examples(regenerate, ["nuqta keys regenerate 'Demo Store'", 'nuqta keys regenerate 1 --json'])
  regenerate.action((called: string, options: CommonOptions) =>
    speak(options, (output) =>
      withDeployment(options, output, async ({ db, dir, environment, now }) => {
        const merchant = await findMerchant(db, called)
        const pair = await regenerateKeys(db, merchant, { environment, now })
        if (dir !== undefined && (await replaceSandboxKeys(dir.sandboxEnv, merchant.public_key, pair)))
          output.note(`The new keys are in ${dir.sandboxEnv} too.`)
        const view = { merchant_id: merchant.merchant_id, ...pair }
        output.result(view, describe(view))
      }),
    ),
  )
}

/** The secret under which a merchant's server signs checkouts: shown once, when it is made. */

/** Makes the first secret of a merchant, when it begins to require signed checkouts. */
export async function firstSecret(config: Config, { db, dir }: Pick<Deployment, 'db' | 'dir'>, merchant: MerchantRow) {
  const secrets = await secretsOf(config, dir, db)
  let checkout_secret: string | null = null
  return {
    async make(tx: Transaction): Promise<void> {
      checkout_secret = await makeCheckoutSecret(tx, secrets, merchant, new Date())
    },
    /** Undefined when the merchant had one before. */
    shown: () => (checkout_secret === null ? undefined : { checkout_secret }),
  }
}

export const keptSecret =
  'Its checkout secret is the one that it had; nuqta merchant rotate-checkout-secret makes another.'

export function addRotateSecretCommand(group: Command): void {
  const rotate = addCommand(
    group,
    'rotate-checkout-secret <merchant>',
    'replace the secret of its signed checkouts; what is signed with the old one is refused at once',
  )
  examples(rotate, ["nuqta merchant rotate-checkout-secret 'Corner Café'"])
  rotate.action((called: string, options: CommonOptions) =>
    speak(options, (output) =>
      withDeployment(options, output, async ({ db, dir }) => {
        const secrets = await secretsOf(commandConfig(options), dir, db)
        const { merchant_id, program_id, name, signed_checkouts } = await findMerchant(db, called)
        const checkout_secret = await rotateCheckoutSecret({ db, secrets }, { program_id, merchant_id }, new Date())
        const view = { merchant_id, program_id, name, signed_checkouts, checkout_secret }
        output.result(view, describe(view))
      }),
    ),
  )
}
