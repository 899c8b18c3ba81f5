import { type Command, InvalidArgumentError } from 'commander'
import { maskedSecret, nextSecretFrom } from '../domain/webhook-secret.ts'
import { findProgramNamed } from '../features/merchants/programs.ts'
import { createProgramWebhooks, type ProgramWebhooks, type SetWebhook } from '../features/settlement/program-webhook.ts'
import { CliError } from '../lib/errors.ts'
import { createSystemResolve } from '../net/resolve.ts'
import { addExamples, addIrreversible, type CommonOptions, describe, withOutput } from './command.ts'
import { commandConfig, confirmed, type Deployment, secretsOf, withDeployment } from './deployment.ts'
import { instant } from './values.ts'

interface WebhookOptions extends CommonOptions {
  readonly url?: string
  readonly rotate?: boolean
  readonly at?: number
  readonly test?: boolean
  readonly remove?: boolean
}

/** Adds `program webhook`. */
export function addProgramWebhook(group: Command): void {
  const webhook = addIrreversible(group, 'webhook <program>', 'show or set where a program is told of its settlements')
    .option('--url <url>', 'an https URL; the first time a secret is made, and shown this once')
    .option('--rotate', 'replace the secret; the new one is shown this once')
    .option('--at <instant>', 'with --rotate: when deliveries start to carry it (default: now)', instant)
    .option('--test', 'send a test event')
    .option('--remove', 'tell nobody any more')
  addExamples(webhook, [
    'nuqta program webhook Mall',
    'nuqta program webhook Mall --url https://mall.example/nuqta',
    'nuqta program webhook Mall --rotate --at 2027-01-31T09:00:00Z',
    'nuqta program webhook Mall --test',
  ])
  webhook.action((name: string, options: WebhookOptions) =>
    withOutput(options, (output) => {
      const { url, rotate, test, remove, at } = options
      if ([url, rotate, test, remove].filter((one) => one !== undefined).length > 1)
        throw new InvalidArgumentError('Name one of --url, --rotate, --test and --remove.')
      if (at !== undefined && rotate === undefined) throw new InvalidArgumentError('--at belongs to --rotate.')
      return withDeployment(options, output, async (deployment) => {
        const { program_id } = await findProgramNamed(deployment.db, name)
        const webhooks = await webhooksOf(options, deployment)
        const needsOne = rotate === true || test === true || remove === true
        if (needsOne && (await webhooks.read(program_id)) === undefined)
          throw new CliError(`The program ${name} has no webhook: give it one with --url.`)
        if (rotate === true) await confirmed(options, deployment, `Replace the secret of the webhook of ${name}?`)
        if (remove === true) await confirmed(options, deployment, `Remove the webhook of ${name}, with its secret?`)
        const view = await change(webhooks, program_id, options, deployment)
        output.result(view, describe(view))
      })
    }),
  )
}

async function webhooksOf(options: CommonOptions, { db, dir, environment }: Deployment): Promise<ProgramWebhooks> {
  const config = commandConfig(options)
  // Without NUQTA_ENVIRONMENT the settings are those of a sandbox.
  const allow_loopback = environment === 'sandbox' && config.webhook.allow_loopback
  return createProgramWebhooks({
    db,
    secrets: await secretsOf(config, dir, db),
    resolve: createSystemResolve(),
    allow_loopback,
  })
}

async function change(
  webhooks: ProgramWebhooks,
  program_id: number,
  { url, rotate, at, test, remove }: WebhookOptions,
  { by }: Deployment,
) {
  if (url !== undefined) return viewOf(program_id, await webhooks.set(program_id, url, { by }))
  if (rotate === true) return viewOf(program_id, await webhooks.rotate(program_id, { at_ms: at, by }))
  if (test === true) await webhooks.test(program_id, { by })
  if (remove === true) await webhooks.remove(program_id, { by })
  const webhook = await webhooks.read(program_id)
  return webhook === undefined
    ? { program_id, url: null, secret: null, next_secret_from: null }
    : viewOf(program_id, { webhook, secret: null })
}

function viewOf(program_id: number, { webhook, secret }: SetWebhook) {
  const now = new Date()
  const next_secret_from = nextSecretFrom(webhook, now)?.toISOString() ?? null
  return { program_id, url: webhook.url, secret: secret ?? maskedSecret(webhook, now), next_secret_from }
}
