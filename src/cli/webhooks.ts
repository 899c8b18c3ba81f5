import { type Command, InvalidArgumentError, Option } from 'commander'
import { findMerchant } from '../features/merchants/service.ts'
import { listWebhooks } from '../features/webhooks/list.ts'
import {
  type AttemptView,
  type DeliveryView,
  listDeliveries,
  replayDelivery,
  replayFailed,
  sendTest,
  showDelivery,
} from '../features/webhooks/log.ts'
import type { DeliveryState } from '../features/webhooks/log-queries.ts'
import { findAnyWebhook, rotateSecret } from '../features/webhooks/rotation.ts'
import { counted } from '../lib/counted.ts'
import {
  addChange,
  addCommand,
  addExamples,
  addGroup,
  addIrreversible,
  addPaging,
  type CommonOptions,
  describe,
  listing,
  noteNone,
  type PageOptions,
  printPage,
  uuidCursor,
  withOutput,
} from './command.ts'
import { commandConfig, confirmed, secretsOf, withDeployment } from './deployment.ts'
import { instant } from './values.ts'

interface RotateOptions extends CommonOptions {
  readonly at?: number
}

export function addWebhookCommands(program: Command): void {
  const group = addGroup(program, 'webhooks', "merchants' webhooks: list them, replace their secrets, try them")
  addWebhookList(group)
  addRotate(group)
  const test = addChange(group, 'test <uuid>', 'send a test event to a webhook')
  addExamples(test, ['nuqta webhooks test 0193e7a1-0000-7def-8123-456789abcdef'])
  test.action((uuid: string, options: CommonOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db, now, by }) => {
        const delivery = await sendTest(db, await findAnyWebhook(db, uuid), now, { by })
        output.result(delivery, [line(delivery), `See how it goes: nuqta deliveries show ${delivery.delivery_id}`])
      }),
    ),
  )
}

interface WebhookListOptions extends CommonOptions, PageOptions {
  readonly merchant?: string
}

function addWebhookList(group: Command): void {
  const list = addPaging(addCommand(group, 'list', 'list webhooks, the newest first')).option(
    '--merchant <merchant>',
    'of this merchant, by id or exact name',
  )
  addExamples(list, ["nuqta webhooks list --merchant 'Demo Store'", 'nuqta webhooks list --json'])
  list.action((options: WebhookListOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db }) => {
        const merchant = options.merchant === undefined ? undefined : await findMerchant(db, options.merchant)
        const page = { before: uuidCursor(options), size: options.limit + 1 }
        printPage(output, options, await listWebhooks(db, merchant, page), {
          what: 'webhooks',
          row: (webhook) => {
            const { uuid, merchant_id, name, url } = webhook
            output.result(webhook, `${uuid}  ${name}  ${url}  (merchant ${merchant_id})`)
          },
          cursor: ({ uuid }) => uuid,
        })
      }),
    ),
  )
}

function addRotate(group: Command): void {
  const rotate = addIrreversible(
    group,
    'rotate <uuid>',
    'replace the secret of a webhook; the new one is shown this once',
  ).option('--at <instant>', 'when deliveries start to carry it (default: now)', instant)
  addExamples(rotate, [
    'nuqta webhooks rotate 0193e7a1-0000-7def-8123-456789abcdef',
    'nuqta webhooks rotate 0193e7a1-0000-7def-8123-456789abcdef --at 2027-01-31T09:00:00Z',
  ])
  rotate.action((uuid: string, options: RotateOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async (deployment) => {
        const { db, dir, by } = deployment
        const secrets = await secretsOf(commandConfig(options), dir, db)
        const webhook = await findAnyWebhook(db, uuid)
        const question = `Replace the secret of ${webhook.name} (${webhook.url})?`
        const { now: changed_at } = await confirmed(options, deployment, question)
        const rotated = await rotateSecret(db, secrets, { webhook, at_ms: options.at, changed_at, by })
        output.result(rotated, describe({ ...rotated }))
      }),
    ),
  )
}

interface ListOptions extends CommonOptions, PageOptions {
  readonly merchant?: string
  readonly webhook?: string
  readonly state?: DeliveryState
}

interface ReplayOptions extends CommonOptions {
  readonly webhook?: string
  readonly since?: number
}

export function addDeliveryCommands(program: Command): void {
  const group = addGroup(program, 'deliveries', 'webhook deliveries: list them, show their attempts, send them again')
  addList(group)
  const show = addCommand(group, 'show <id>', 'show one delivery with its attempts')
  addExamples(show, ['nuqta deliveries show 0193e7a1-4b2c-7def-8123-456789abcd01 --json'])
  show.action((id: string, options: CommonOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db }) => {
        const delivery = await showDelivery(db, id)
        output.result(delivery, text(delivery))
      }),
    ),
  )
  addReplay(group)
}

function addList(group: Command): void {
  const list = addPaging(addCommand(group, 'list', 'list deliveries, the newest first'))
    .option('--merchant <merchant>', 'of this merchant, by id or exact name')
    .option('--webhook <uuid>', 'to this webhook')
    .addOption(new Option('--state <state>', 'in this state').choices(['due', 'delivered', 'failed']))
  addExamples(list, ["nuqta deliveries list --merchant 'Demo Store'", 'nuqta deliveries list --state failed --json'])
  list.action((options: ListOptions) =>
    withOutput(options, (output) =>
      withDeployment(
        options,
        output,
        async ({ db }) => {
          const merchant = options.merchant === undefined ? undefined : await findMerchant(db, options.merchant)
          const webhook = options.webhook === undefined ? undefined : await findAnyWebhook(db, options.webhook)
          const filter = {
            program_id: merchant?.program_id ?? webhook?.program_id,
            merchant_id: merchant?.merchant_id ?? webhook?.merchant_id,
            webhook_uuid: webhook?.webhook_uuid,
            state: options.state,
          }
          const page = { before: uuidCursor(options), size: options.limit + 1 }
          printPage(output, options, await listDeliveries(db, filter, page), {
            what: 'deliveries',
            row: (delivery) => output.result(delivery, line(delivery)),
            cursor: ({ delivery_id }) => delivery_id,
          })
        },
        listing,
      ),
    ),
  )
}

function addReplay(group: Command): void {
  const replay = addChange(group, 'replay [id]', 'send one delivery again, or all failed ones of a webhook')
    .option('--webhook <uuid>', 'all failed ones of this webhook')
    .option('--since <instant>', 'with --webhook: of events from this instant on', instant)
  addExamples(replay, [
    'nuqta deliveries replay 0193e7a1-4b2c-7def-8123-456789abcd01',
    'nuqta deliveries replay --webhook 0193e7a1-0000-7def-8123-456789abcdef --since 2027-01-31T09:00:00Z',
  ])
  replay.action((id: string | undefined, options: ReplayOptions) =>
    withOutput(options, async (output) => {
      const { webhook, since } = options
      if ((id === undefined) === (webhook === undefined) || (webhook === undefined) !== (since === undefined))
        throw new InvalidArgumentError('Give the id of a delivery, or --webhook and --since.')
      await withDeployment(options, output, async ({ db, by }) => {
        if (id !== undefined) {
          const delivery = await replayDelivery(db, id, by)
          output.result(delivery, line(delivery))
        } else if (webhook !== undefined && since !== undefined) {
          let sent = 0
          for await (const delivery of replayFailed(db, await findAnyWebhook(db, webhook), since, by)) {
            output.result(delivery, line(delivery))
            sent += 1
          }
          if (sent === 0) noteNone(output, options, 'failed deliveries')
        }
      })
    }),
  )
}

/** Describes one delivery on one line. */
function line({ delivery_id, created_at, state, event, url, attempts }: DeliveryView): string {
  const last = attempts.at(-1)
  const tries =
    last === undefined ? 'not tried yet' : `${counted(attempts.length, 'attempt')}, the last: ${outcome(last)}`
  return `${delivery_id}  ${created_at}  ${state.padEnd(9)}  ${event ?? '-'}  ${url ?? '-'}  (${tries})`
}

function outcome({ status, error }: AttemptView): string {
  return error ?? String(status)
}

function text({ attempts, ...delivery }: DeliveryView): string[] {
  const made = attempts.flatMap(({ series, attempt, started_at, duration_ms, response, ...rest }) => {
    const answer = response === null || response === '' ? [] : response.slice(0, 400).split(/\r?\n/)
    const result = outcome({ series, attempt, started_at, duration_ms, response, ...rest })
    return [
      `  ${series}.${attempt}  ${started_at}  ${duration_ms ?? '?'} ms  ${result}`,
      // Indented, so that no answer of a receiver looks like a line of ours.
      ...answer.map((line) => `    ${line}`),
    ]
  })
  return [...describe(delivery), 'attempts', ...made]
}
