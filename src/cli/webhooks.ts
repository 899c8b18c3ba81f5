import type { Command } from 'commander'
import { sendTest } from '../features/webhooks/log.ts'
import { findAnyWebhook, rotateSecret } from '../features/webhooks/rotation.ts'
import { addCommand, addGroup, examples, speak } from './command.ts'
import { line } from './deliveries.ts'
import { type CommonOptions, commandConfig, withDeployment } from './deployment.ts'
import { describe } from './output.ts'
import { secretsOf } from './secrets.ts'
import { instant } from './values.ts'

interface RotateOptions extends CommonOptions {
  readonly at?: number
}

export function addWebhookCommands(program: Command): void {
  const group = addGroup(program, 'webhooks', "merchants' webhooks: replace their secrets, try them")
  addRotate(group)
  const test = addCommand(group, 'test <uuid>', 'send a test event to a webhook')
  examples(test, ['nuqta webhooks test 0193e7a1-0000-7def-8123-456789abcdef'])
  test.action((uuid: string, options: CommonOptions) =>
    speak(options, (output) =>
      withDeployment(options, output, async ({ db, now }) => {
        const delivery = await sendTest(db, await findAnyWebhook(db, uuid), now)
        output.result(delivery, `${line(delivery)}\nSee how it goes: nuqta deliveries show ${delivery.delivery_id}`)
      }),
    ),
  )
}

function addRotate(group: Command): void {
  const rotate = addCommand(
    group,
    'rotate <uuid>',
    'replace the secret of a webhook; the new one is shown this once',
  ).option('--at <instant>', 'when deliveries begin to carry it (default: now)', instant)
  examples(rotate, [
    'nuqta webhooks rotate 0193e7a1-0000-7def-8123-456789abcdef',
    'nuqta webhooks rotate 0193e7a1-0000-7def-8123-456789abcdef --at 2027-01-31T09:00:00Z',
  ])
  rotate.action((uuid: string, options: RotateOptions) =>
    speak(options, (output) =>
      withDeployment(options, output, async ({ db, dir }) => {
        const secrets = await secretsOf(commandConfig(options), dir, db)
        const webhook = await findAnyWebhook(db, uuid)
        const rotated = await rotateSecret(db, secrets, { webhook, at_ms: options.at })
        output.result(rotated, describe({ ...rotated }))
      }),
    ),
  )
}
