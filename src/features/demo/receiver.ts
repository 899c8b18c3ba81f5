/** What the receiver of a sandbox answers to deliveries: a log has failures too. docs/spec/operation.md#demo-receiver */

export const receiver_path = '/demo/receiver'

interface Given {
  readonly body: string
  /** `X-Webhook-Attempt`. */
  readonly attempt: number
}

export interface ReceiverAnswer {
  readonly status: 200 | 422 | 503
  readonly body: string
}

/** Takes every event, but a refund only at the second attempt, and the refund of a part never. */
export function answerDelivery({ body, attempt }: Given): ReceiverAnswer {
  const { event, order } = read(body)
  if (event !== 'refunded') return answer(200, { received: true })
  if (Number(order?.left_amount) > 0) return answer(422, { error: 'a refund of a part is not supported' })
  return attempt === 1 ? answer(503, { error: 'busy' }) : answer(200, { received: true })
}

function answer(status: ReceiverAnswer['status'], body: object): ReceiverAnswer {
  return { status, body: `${JSON.stringify(body)}\n` }
}

interface Delivered {
  readonly event?: unknown
  readonly order?: { readonly left_amount?: unknown } | null
}

function read(body: string): Delivered {
  try {
    const parsed: unknown = JSON.parse(body)
    return (parsed as Delivered | null) ?? {}
  } catch {
    return {}
  }
}
