import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import Type from 'typebox'
import { DomainError } from '../../domain/failures.ts'
import type { Locale } from '../../domain/locale.ts'
import { freeForm, instant, line, nullable, object, oneOf, optional, text } from '../../http/api/fields.ts'
import { DashboardAnswer } from '../../http/dashboard/answers.ts'
import type { StaffRequest } from '../../http/dashboard/route.ts'
import {
  beginTotp,
  changeAccount,
  changePassword,
  confirmByPassword,
  confirmTotp,
  readAccount,
  removeTotp,
  renewCodes,
} from './account.ts'
import { confirmFailures, type StaffServices, sessionCookieOf } from './dashboard-parts.ts'
import { credential, password, personName } from './dashboard-sign-in.ts'
import { findPasskeysOf } from './factor-queries.ts'
import { addPasskey, confirmByPasskey, offerRegistration, removePasskey } from './passkeys.ts'
import { endOthers, endSession, listSessions } from './sessions.ts'
import { auditOwn } from './sign-in.ts'

const tag = 'Account'
const codes = Type.Array(Type.String(), { description: 'Shown this once; empty when the account has some already.' })

/** Answers with what was shown, and gives the session its new token. */
function rotated({ token, ...data }: { readonly token: string }): DashboardAnswer {
  return new DashboardAnswer(data, { cookies: [sessionCookieOf(token)] })
}

export const confirmRoute = {
  tag,
  summary: 'Confirm who you are by your password',
  description: 'For what needs a recent sign-in: `confirm_password` says so.',
  body: object({ password: password() }),
  data: object({}),
  failures: confirmFailures,
  async handle({ session, body }: StaffRequest<{ password: string }>, { staff }: StaffServices) {
    return rotated(await confirmByPassword(staff, session, body.password))
  },
} as const

export const confirmByPasskeyRoute = {
  tag,
  summary: 'Confirm who you are by a passkey',
  description: 'It answers `POST /sign-in/passkey/options`.',
  body: credential,
  data: object({}),
  failures: ['passkey_refused', 'too_many_sign_ins'],
  async handle({ session, body }: StaffRequest<object>, { staff }: StaffServices) {
    return rotated(await confirmByPasskey(staff, session, body as AuthenticationResponseJSON))
  },
} as const

export const listSessionsRoute = {
  tag,
  summary: 'List your sessions',
  data: Type.Array(
    object({
      session_uuid: Type.String(),
      current: Type.Boolean(),
      method: oneOf(['password', 'two_factors', 'passkey', 'link']),
      address: nullable(Type.String()),
      browser: nullable(Type.String()),
      started_at: instant(),
      seen_at: instant(),
      expires_at: instant(),
    }),
  ),
  async handle({ session }: StaffRequest, { staff }: StaffServices) {
    const rows = await listSessions(staff.db, session.staff_uuid, staff.now())
    return rows.map(({ created_at, seen_at, expires_at, ...row }) => {
      return {
        ...row,
        current: row.session_uuid === session.session_uuid,
        started_at: created_at.toISOString(),
        seen_at: seen_at.toISOString(),
        expires_at: expires_at.toISOString(),
      }
    })
  },
} as const

export const endSessionRoute = {
  tag,
  summary: 'End one of your sessions',
  data: object({}),
  failures: ['not_found'],
  async handle({ session, params }: StaffRequest<undefined, 'sessionUuid'>, { staff }: StaffServices) {
    await staff.db.transaction(async (tx) => {
      if (!(await endSession(tx, session.staff_uuid, params.sessionUuid))) throw new DomainError({ kind: 'not_found' })
      auditOwn(tx, session, 'session.end', { sessions: 1 })
    })
    return {}
  },
} as const

export const endOthersRoute = {
  tag,
  summary: 'End all your other sessions',
  data: object({ ended: Type.Integer() }),
  async handle({ session }: StaffRequest, { staff }: StaffServices) {
    const ended = await staff.db.transaction(async (tx) => {
      const sessions = await endOthers(tx, session.staff_uuid, session.session_uuid)
      if (sessions > 0) auditOwn(tx, session, 'session.end', { sessions })
      return sessions
    })
    return { ended }
  },
} as const

export const readAccountRoute = {
  tag,
  summary: 'Read your account',
  data: object({
    email: Type.String(),
    name: Type.String(),
    locale: Type.Union([oneOf(['ar', 'en']), Type.Null()]),
    has_password: Type.Boolean(),
    totp: Type.Boolean(),
    passkeys: Type.Integer(),
    recovery_codes: Type.Integer({ description: 'How many are left.' }),
  }),
  handle: ({ session }: StaffRequest, { staff }: StaffServices) => readAccount(staff, session),
} as const

interface AccountChanges {
  readonly name?: string
  readonly locale?: Locale | null
}

export const changeAccountRoute = {
  tag,
  summary: 'Change your name or language',
  body: object({
    name: optional(personName()),
    locale: optional(Type.Union([oneOf(['ar', 'en']), Type.Null()], { description: "null for the browser's." })),
  }),
  data: object({}),
  async handle({ session, body }: StaffRequest<AccountChanges>, { staff }: StaffServices) {
    await changeAccount(staff, session, body)
    return {}
  },
} as const

export const passwordRoute = {
  tag,
  summary: 'Choose a new password',
  description: 'Ends all your other sessions. `current_password` is needed where the account has one.',
  body: object({ current_password: optional(password()), password: password() }),
  data: object({}),
  failures: confirmFailures,
  async handle(
    { session, body }: StaffRequest<{ current_password?: string; password: string }>,
    { staff }: StaffServices,
  ) {
    return rotated(await changePassword(staff, session, body))
  },
} as const

export const beginTotpRoute = {
  tag,
  summary: 'Begin to use codes of an app',
  data: object({ secret: Type.String(), uri: Type.String({ description: 'For a QR code: `otpauth://…`.' }) }),
  failures: ['totp_on'],
  handle: ({ session }: StaffRequest, { staff }: StaffServices) => beginTotp(staff, session),
} as const

export const confirmTotpRoute = {
  tag,
  summary: 'Confirm the app by its first code',
  description: 'From now on the password alone does not sign in. Ends all your other sessions.',
  body: object({ code: text({ max: 20 }) }),
  data: object({ recovery_codes: codes }),
  failures: ['second_factor_refused', 'totp_on', 'too_many_sign_ins'],
  async handle({ session, body }: StaffRequest<{ code: string }>, { staff }: StaffServices) {
    return rotated(await confirmTotp(staff, session, body.code))
  },
} as const

export const removeTotpRoute = {
  tag,
  summary: 'Stop using codes of an app',
  data: object({}),
  async handle({ session }: StaffRequest, { staff }: StaffServices) {
    return rotated(await removeTotp(staff, session))
  },
} as const

export const recoveryCodesRoute = {
  tag,
  summary: 'Replace your recovery codes',
  description: 'The old ones stop working. 404 without a second factor.',
  data: object({ recovery_codes: codes }),
  failures: ['not_found'],
  handle: ({ session }: StaffRequest, { staff }: StaffServices) => renewCodes(staff, session),
} as const

export const listPasskeysRoute = {
  tag,
  summary: 'List your passkeys',
  data: Type.Array(
    object({
      passkey_uuid: Type.String(),
      name: Type.String(),
      created_at: instant(),
      used_at: nullable(instant()),
    }),
  ),
  async handle({ session }: StaffRequest, { staff }: StaffServices) {
    const rows = await staff.db.run(findPasskeysOf(session.staff_uuid))
    return rows.map(({ passkey_uuid, name, created_at, used_at }) => ({
      ...{ passkey_uuid, name },
      created_at: created_at.toISOString(),
      used_at: used_at?.toISOString() ?? null,
    }))
  },
} as const

export const passkeyRegistrationRoute = {
  tag,
  summary: 'Begin to add a passkey',
  data: freeForm({ description: 'What `navigator.credentials.create()` takes, in its JSON form.' }),
  handle: ({ session }: StaffRequest, { staff }: StaffServices) => offerRegistration(staff, session),
} as const

export const addPasskeyRoute = {
  tag,
  summary: 'Add a passkey',
  description: 'Ends all your other sessions.',
  body: object({ name: line({ max: 60 }), response: credential }),
  data: object({ passkey_uuid: Type.String(), recovery_codes: codes }),
  failures: ['passkey_refused'],
  async handle({ session, body }: StaffRequest<{ name: string; response: object }>, { staff }: StaffServices) {
    // Its texts are checked by the schema, and what they encode by the library.
    const response = body.response as RegistrationResponseJSON
    return rotated(await addPasskey(staff, session, { name: body.name, response }))
  },
} as const

export const removePasskeyRoute = {
  tag,
  summary: 'Remove a passkey',
  description: 'Ends all your other sessions.',
  data: object({}),
  failures: ['not_found'],
  async handle({ session, params }: StaffRequest<undefined, 'passkeyUuid'>, { staff }: StaffServices) {
    return rotated(await removePasskey(staff, session, params.passkeyUuid))
  },
} as const
