import { type Answer, valueAt } from '../exchange.ts'
import type { SmsOutcome, SmsSender } from './port.ts'
import { endpointOf, failureOf, international, postSms, type SmsAccount } from './post.ts'

const standardUrl = 'https://el.cloud.unifonic.com'

/** `ER-08`: the sender is not registered. Other codes are about numbers, texts and balance. */
const credentialCodes = ['ER-08']

/** `ER-09`: the same text went to the same number a moment ago, as when the answer to that was lost. */
const duplicateCode = 'ER-09'

/** 402: no application id. 480: a sender that the account may not use. */
const credentialStatuses = [402, 480]

/**
 * Unifonic: `POST /rest/SMS/messages`, a form. HTTP 200 alone means nothing. A success has the `errorCode` `ER-00` and
 * `data.MessageID`; `ER-01` (balance) to `ER-08` (the sender) say why a message was not sent.
 */
export function createUnifonic(account: SmsAccount): SmsSender {
  const url = endpointOf(account.url ?? standardUrl, '/rest/SMS/messages')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return {
    name: 'unifonic',
    reaches_phones: true,
    send({ phone, text }) {
      const form = { AppSid: account.key, SenderID: account.sender, Body: text, Recipient: international(phone) }
      const body = new URLSearchParams({ ...form, responseType: 'JSON' }).toString()
      return postSms(url, { headers, body }, { account, read })
    },
  }
}

function read(answer: Answer): SmsOutcome {
  const code = valueAt(answer.body, 'errorCode')
  if (code === 'ER-00') {
    const id = valueAt(answer.body, 'data', 'MessageID')
    return { kind: 'sent', reference: typeof id === 'string' || typeof id === 'number' ? String(id) : null }
  }
  if (code === duplicateCode) return { kind: 'sent', reference: null }
  const known = typeof code === 'string' && /^ER-\d{2,3}$/.test(code) ? code : undefined
  if (known === undefined) return unreadable(answer)
  const detail = `HTTP ${answer.status}, ${known}`
  if (credentialCodes.includes(known) || credentialStatuses.includes(answer.status))
    return { kind: 'credentials', detail }
  // An error code with HTTP 200 is a refusal of this message.
  return answer.status < 400 ? { kind: 'refused', detail } : failureOf(answer, known)
}

/** An answer without an error code: only its HTTP status says something, and 2xx does not. */
function unreadable(answer: Answer): SmsOutcome {
  if (credentialStatuses.includes(answer.status)) return { kind: 'credentials', detail: `HTTP ${answer.status}` }
  if (answer.status >= 400) return failureOf(answer)
  return { kind: 'unknown', detail: `HTTP ${answer.status} without an error code` }
}
