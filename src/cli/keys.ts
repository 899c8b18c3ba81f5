import type { Command } from 'commander'
import { replaceSandboxKeys } from '../features/deployment/sandbox.ts'
import { findMerchant, regenerateKeys } from '../features/merchants/service.ts'
import { addCommand, addGroup, examples, speak } from './command.ts'
import { type CommonOptions, withDeployment } from './deployment.ts'
import { describe } from './output.ts'

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
