import { readEmail } from '../../src/domain/email.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Role } from '../../src/domain/staff.ts'
import { setMember } from '../../src/features/staff/member-queries.ts'
import { insertStaff } from '../../src/features/staff/queries.ts'
import { beginSession, csrfOf } from '../../src/features/staff/sessions.ts'
import { newUuid } from '../../src/lib/ids.ts'
import type { Reply } from '../http/client.ts'
import type { App } from './api.ts'

/** A browser of the dashboard: it keeps cookies, and sends what our pages send. */
export interface StaffBrowser {
  readonly cookies: Map<string, string>
  /** Sends a request to `/dashboard/api` + path. */
  call(
    method: string,
    path: string,
    json?: unknown,
    headers?: Readonly<Record<string, string | string[]>>,
  ): Promise<Reply>
}

/** The client of a person, signed in or not. */
export function staffBrowser(app: Pick<App, 'send'>, token?: string): StaffBrowser {
  const cookies = new Map<string, string>(token === undefined ? [] : [['__Host-nuqta-session', token]])
  return {
    cookies,
    async call(method, path, json, headers = {}) {
      const session = cookies.get('__Host-nuqta-session')
      const reply = await app.send(method, `/dashboard/api${path}`, {
        json,
        headers: {
          'sec-fetch-site': 'same-origin',
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(session === undefined ? {} : { 'x-csrf-token': csrfOf(session) }),
          ...headers,
        },
      })
      for (const line of reply.headers['set-cookie'] ?? []) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      return reply
    },
  }
}

export interface Person extends StaffBrowser {
  readonly staff_uuid: Uuid
  readonly email: string
}

let made = 0

/** Somebody with a role at a merchant, or an operator, signed in a moment ago. */
export async function makePerson(
  app: Pick<App, 'db' | 'send' | 'services'>,
  at: { readonly program_id: number; readonly merchant_id: number; readonly role: Role } | 'operator',
  password?: string,
): Promise<Person> {
  const [staff_uuid, now] = [newUuid(), new Date()]
  const email = readEmail(`person${++made}-${staff_uuid.slice(-6)}@shop.example`)
  if (email === null) throw new Error('the address of a person is none')
  const password_hash = password === undefined ? null : await app.services.staff.passwords.hash(password)
  const token = await app.db.transaction(async (tx) => {
    const is_operator = at === 'operator'
    const row = { staff_uuid, email, name: `Person ${made}`, password_hash, locale: null, email_proven_at: null }
    await tx.run(insertStaff({ ...row, is_operator, now }))
    if (at !== 'operator') await tx.run(setMember(at, { staff_uuid, role: at.role }, now))
    const visitor = { address: '127.0.0.1', user_agent: undefined }
    return beginSession(tx, { staff_uuid, method: 'password', visitor }, now)
  })
  return { ...staffBrowser(app, token), staff_uuid, email }
}
