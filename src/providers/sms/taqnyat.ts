import { type Answer, valueAt } from '../exchange.ts'
import type { SmsOutcome, SmsSender } from './port.ts'
import { endpointOf, failureOf, international, postSms, type SmsAccount } from './post.ts'

const standardUrl = 'https://api.taqnyat.sa'

/**
 * Taqnyat: `POST /v1/messages` with a bearer token. A success is a 201 with `statusCode` 201 and a `messageId`, and with our
 * number in the list `accepted`; one that it does not take is in `rejected`. Both are texts: `[966512345678,]`. Errors are
 * `{"statusCode", "message"}`.
 */
export function createTaqnyat(account: SmsAccount): SmsSender {
  const url = endpointOf(account.url ?? standardUrl, '/v1/messages')
  const headers = { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' }
  return {
    name: 'taqnyat',
    reaches_phones: true,
    send({ phone, text }) {
      const body = JSON.stringify({ recipients: [international(phone)], body: text, sender: account.sender })
      return postSms(url, { headers, body }, { account, read: (answer) => read(answer, international(phone)) })
    },
  }
}

function read(answer: Answer, recipient: string): SmsOutcome {
  const code = valueAt(answer.body, 'statusCode')
  const id = valueAt(answer.body, 'messageId')
  // An error may come with HTTP 200, so the code in the body decides.
  const status = typeof code === 'number' ? code : answer.status
  if (status === 200 || status === 201) {
    if (isRejected(answer.body, recipient))
      return { kind: 'refused', detail: `HTTP ${answer.status}, the number was rejected` }
    const named = typeof id === 'string' || typeof id === 'number'
    return named
      ? { kind: 'sent', reference: String(id) }
      : { kind: 'unknown', detail: `HTTP ${answer.status} without a message id` }
  }
  return failureOf({ ...answer, status })
}

function isRejected(body: unknown, recipient: string): boolean {
  const has = (list: unknown): boolean => JSON.stringify(list ?? null).includes(recipient)
  return has(valueAt(body, 'rejected')) && !has(valueAt(body, 'accepted'))
}
