import { type Answer, valueAt } from '../exchange.ts'
import type { SmsOutcome, SmsSender } from './port.ts'
import { failureOf, international, postSms, type SmsAccount } from './post.ts'

const standardUrl = 'https://el.cloud.unifonic.com'

/** Its documentation names `ER-00` alone as a success; these two are the ones of an application id that it does not take. */
const credentialCodes = ['ER-01', 'ER-02']

/**
 * Unifonic: `POST /rest/SMS/messages`, a form. HTTP 200 says nothing: an `errorCode` of `ER-00` does, with
 * `data.MessageID`.
 */
export function createUnifonic(account: SmsAccount): SmsSender {
  const url = new URL('/rest/SMS/messages', account.url ?? standardUrl)
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
  const known = typeof code === 'string' && /^ER-\d{2,3}$/.test(code) ? code : undefined
  if (known === undefined) return unreadable(answer)
  const detail = `HTTP ${answer.status}, ${known}`
  if (credentialCodes.includes(known)) return { kind: 'credentials', detail }
  // What it says with HTTP 200 is its answer to this message: asking again will not change it.
  return answer.status < 400 ? { kind: 'refused', detail } : failureOf(answer, known)
}

/** A success by its status alone says nothing here. */
function unreadable(answer: Answer): SmsOutcome {
  if (answer.status >= 400) return failureOf(answer)
  return { kind: 'unknown', detail: `HTTP ${answer.status} without an error code` }
}
