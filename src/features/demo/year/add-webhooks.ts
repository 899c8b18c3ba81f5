import type { Database } from '../../../db/pool.ts'
import type { Actor } from '../../../domain/audit.ts'
import type { SecretBox } from '../../../lib/secrets.ts'
import { createProgramWebhooks } from '../../settlement/program-webhook.ts'
import { sendTest } from '../../webhooks/log.ts'
import { createWebhooks } from '../../webhooks/service.ts'
import { receiver_path } from '../receiver.ts'
import type { RunContext } from './run-step.ts'
import { yearPrograms } from './shops.ts'

/** Where the webhooks of a year lead: to the sandbox itself. */
export interface SandboxReceiver {
  /** Of the sandbox, on loopback, without a trailing slash. */
  readonly public_url: string
  /** Under the key of the deployment: its workers send the deliveries. */
  readonly secrets: SecretBox
}

interface Adding {
  readonly receiver: SandboxReceiver
  readonly shops: RunContext['shops']
  readonly by: Actor
}

function targetOf(db: Database, { public_url, secrets }: SandboxReceiver) {
  const parts = { db, secrets, allow_loopback: true, resolve: async () => [] }
  return { url: `${public_url}${receiver_path}`, parts }
}

/** Gives the programs webhooks for their settlements, unless an earlier run has. It locks the programs: a year does so too. */
export async function addProgramWebhooks(db: Database, { receiver, shops, by }: Adding): Promise<void> {
  const { url, parts } = targetOf(db, receiver)
  const webhooks = createProgramWebhooks(parts)
  for (const program_id of new Set(shops.flat().map((shop) => shop.program_id)))
    if ((await webhooks.read(program_id)) === undefined) await webhooks.set(program_id, url, { by })
}

/** Gives shops their webhooks, each with a test, unless an earlier run has. */
export async function addShopWebhooks(
  db: Database,
  { receiver, shops, now, by }: Adding & { readonly now: Date },
): Promise<void> {
  const { url, parts } = targetOf(db, receiver)
  const webhooks = createWebhooks({ ...parts, clock: { now: () => now } })
  for (const [place, program] of yearPrograms.entries()) {
    for (const [number, { webhook: name }] of program.shops.entries()) {
      const shop = shops[place]?.[number]
      if (name === undefined || shop === undefined || (await webhooks.list(shop)).length > 0) continue
      const { program_id, merchant_id } = shop
      const { webhook_uuid } = (await webhooks.create(shop, { name, url }, { by })).webhook
      await sendTest(db, { program_id, merchant_id, webhook_uuid }, now, { by })
    }
  }
}
