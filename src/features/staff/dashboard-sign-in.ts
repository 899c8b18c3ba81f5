import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import Type from 'typebox'
import type { Locale } from '../../domain/locale.ts'
import { roles } from '../../domain/staff.ts'
import { freeForm, instant, line, nullable, object, oneOf, optional, text } from '../../http/api/fields.ts'
import { DashboardAnswer } from '../../http/dashboard/answers.ts'
import type { OpenRequest, StaffRequest } from '../../http/dashboard/route.ts'
import { acceptLink } from './accept.ts'
import { callerOf, noSessionCookie, type StaffServices, signInAnswer, ticketOf } from './dashboard-parts.ts'
import { openLink } from './links.ts'
import { offerSignIn, signInByPasskey } from './passkeys.ts'
import { forgotPassword } from './reset.ts'
import { endSession } from './sessions.ts'
import { auditOwn, giveSecondFactor, signIn } from './sign-in.ts'

const tag = 'Sign-in'
export const password = () => text({ max: 1_000 })
export const personName = () => line({ max: 100 })
const locale = () => oneOf(['ar', 'en'])

/** What the browser gives for a passkey, unchanged: the library reads it. */
export const credential = object({
  id: text({ max: 2_000 }),
  rawId: text({ max: 2_000 }),
  type: oneOf(['public-key']),
  response: freeForm(),
  clientExtensionResults: freeForm(),
  authenticatorAttachment: optional(text({ max: 50 })),
})
const signInData = object({
  state: oneOf(['signed_in', 'second_factor'], {
    description: '`second_factor`: one of `factors` is to follow within five minutes.',
  }),
  factors: Type.Array(oneOf(['totp', 'passkey', 'recovery_code'])),
})

export const signInRoute = {
  tag,
  summary: 'Sign in by e-mail address and password',
  body: object({ email: text({ max: 254 }), password: password() }),
  data: signInData,
  failures: ['sign_in_refused', 'too_many_sign_ins', 'sign_in_busy'],
  async handle(request: OpenRequest<{ email: string; password: string }>, { staff }: StaffServices) {
    return signInAnswer(await signIn(staff, request.body, callerOf(request)))
  },
} as const

export const secondFactorRoute = {
  tag,
  summary: 'Complete a sign-in by a code of the app, or a recovery code',
  body: object({ code: text({ max: 50 }) }),
  data: signInData,
  failures: ['second_factor_refused', 'second_factor_expired', 'too_many_sign_ins'],
  async handle(request: OpenRequest<{ code: string }>, { staff }: StaffServices) {
    const given = { ticket: ticketOf(request), code: request.body.code }
    return signInAnswer(await giveSecondFactor(staff, given, callerOf(request)))
  },
} as const

export const passkeyOptionsRoute = {
  tag,
  summary: 'Begin a sign-in by passkey',
  data: freeForm({ description: 'What `navigator.credentials.get()` takes, in its JSON form.' }),
  handle: (_request: OpenRequest, { staff }: StaffServices) => offerSignIn(staff),
} as const

export const passkeySignInRoute = {
  tag,
  summary: 'Sign in by passkey',
  description: 'A passkey counts as both factors.',
  body: credential,
  data: signInData,
  failures: ['passkey_refused', 'too_many_sign_ins'],
  async handle(request: OpenRequest<object>, { staff }: StaffServices) {
    // Its texts are checked by the schema, and what they encode by the library.
    const response = request.body as AuthenticationResponseJSON
    return signInAnswer(await signInByPasskey(staff, response, callerOf(request)))
  },
} as const

export const signOutRoute = {
  tag,
  summary: 'Sign out',
  data: object({}),
  async handle({ session }: StaffRequest, { staff }: StaffServices) {
    await staff.db.transaction(async (tx) => {
      await endSession(tx, session.staff_uuid, session.session_uuid)
      auditOwn(tx, session, 'session.end', { sessions: 1 })
    })
    return new DashboardAnswer({}, { cookies: [noSessionCookie] })
  },
} as const

export const forgotRoute = {
  tag,
  summary: 'Ask for a link to choose a new password',
  description: 'The answer is the same whether anybody has the address. Nothing is mailed where no mail server is set.',
  body: object({ email: text({ max: 254 }) }),
  data: object({}),
  failures: ['too_many_sign_ins'],
  async handle(request: OpenRequest<{ email: string }>, { staff }: StaffServices) {
    const { visitor } = callerOf(request)
    await forgotPassword(staff, staff.background, { email: request.body.email, visitor })
    return {}
  },
} as const

const linkData = object({
  purpose: oneOf(['invitation', 'reset', 'first_sign_in', 'recovery']),
  email: Type.String(),
  needs: oneOf(['account', 'password', 'sign_in', 'nothing'], {
    description:
      '`account`: a name and a password. `password`: a password. `sign_in`: whoever has this address signs in first. ' +
      '`nothing`: just `POST /links/accept`.',
  }),
  name: nullable(Type.String()),
  locale: Type.Union([locale(), Type.Null()]),
  merchant_name: nullable(Type.String()),
  merchant_name_ar: nullable(Type.String()),
  role: Type.Union([oneOf(roles), Type.Null()]),
  invited_by: nullable(Type.String()),
  expires_at: instant(),
})

export const openLinkRoute = {
  tag,
  summary: 'Ask what a link is for',
  body: object({ token: text({ max: 100 }) }),
  data: linkData,
  failures: ['link_invalid'],
  handle: ({ body, session }: OpenRequest<{ token: string }>, { staff }: StaffServices) =>
    openLink(staff, body.token, session),
} as const

interface AcceptBody {
  readonly token: string
  readonly name?: string
  readonly password?: string
  readonly locale?: Locale
}

export const acceptLinkRoute = {
  tag,
  summary: 'Use a link',
  description: 'It signs its person in, unless the account has a second factor.',
  body: object({
    token: text({ max: 100 }),
    name: optional(personName()),
    password: optional(password()),
    locale: optional(locale()),
  }),
  data: signInData,
  failures: ['link_invalid', 'not_signed_in', 'link_for_other', 'sign_in_busy'],
  async handle(request: OpenRequest<AcceptBody>, { staff }: StaffServices) {
    return signInAnswer(await acceptLink(staff, request.body, callerOf(request), request.session))
  },
} as const

export const readSessionRoute = {
  tag,
  summary: 'Read who is signed in',
  data: object({
    staff_uuid: Type.String(),
    session_uuid: Type.String(),
    email: Type.String(),
    name: Type.String(),
    locale: Type.Union([locale(), Type.Null()]),
    is_operator: Type.Boolean(),
    memberships: Type.Array(
      object({
        program_id: Type.Integer(),
        merchant_id: Type.Integer(),
        merchant_name: Type.String(),
        merchant_name_ar: nullable(Type.String()),
        role: oneOf(roles),
      }),
    ),
    csrf: Type.String({ description: 'Send it as `x-csrf-token` with every request but GET.' }),
    started_at: instant(),
    environment: oneOf(['sandbox', 'production']),
    has_mail: Type.Boolean({ description: 'Whether links are mailed; if not, invitations answer with the link.' }),
  }),
  async handle({ session }: StaffRequest, { staff: { environment, mail } }: StaffServices) {
    const { staff_uuid, session_uuid, email, name, locale: chosen, is_operator, csrf } = session
    const { memberships, started_at } = session
    const about = { staff_uuid, session_uuid, email, name, locale: chosen, is_operator, memberships, csrf }
    return { ...about, started_at: started_at.toISOString(), environment, has_mail: mail !== undefined }
  },
} as const
