import type { Environment } from '../../config/config.ts'
import { DomainError } from '../../domain/failures.ts'
import { answerDelivery, receiver_path } from '../../features/demo/receiver.ts'
import type { PageRow } from '../../http/pages/page.ts'

/** Receives deliveries in a sandbox, so that webhooks of its shops lead somewhere. It keeps nothing. */
export const demoReceiver: PageRow<{ readonly environment: Environment }> = {
  path: receiver_path,
  posts: 'anyone',
  async submit({ body, headers }, { environment }) {
    if (environment !== 'sandbox') throw new DomainError({ kind: 'path_not_found' })
    const attempt = Number(headers['x-webhook-attempt'] ?? 1)
    const answer = answerDelivery({ body: body.toString('utf8'), attempt })
    return { ...answer, headers: { 'content-type': 'application/json' } }
  },
}
