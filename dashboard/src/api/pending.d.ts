/** Endpoints that this branch's description of the API does not have yet. */
interface Answer<Data> {
  responses: { 200: { content: { 'application/json': { status: boolean; message: string; data: Data } } } }
}
interface With<Body> {
  requestBody: { content: { 'application/json': Body } }
}
type SignedIn = { state: 'signed_in' } | { state: 'second_factor'; factors: ('totp' | 'recovery_code')[] }
export interface PendingPaths {
  '/session': {
    get: Answer<{
      session_uuid: string
      staff_uuid: string
      name: string
      email: string
      locale: 'en' | 'ar' | null
      is_operator: boolean
      memberships: {
        program_id: number
        merchant_id: number
        merchant_name: string
        role: 'owner' | 'manager' | 'support' | 'read_only'
      }[]
      csrf: string
      started_at: string
    }>
  }
  '/sign-in': { post: Answer<SignedIn> & With<{ email: string; password: string }> }
  '/sign-in/second-factor': { post: Answer<SignedIn> & With<{ code: string }> }
  '/sign-in/passkey/options': { post: Answer<Record<string, unknown>> }
  '/sign-in/passkey': { post: Answer<SignedIn> & With<Record<string, unknown>> }
  '/sign-out': { post: Answer<object> }
  '/password/forgot': { post: Answer<object> & With<{ email: string }> }
  '/links/open': {
    post: Answer<{
      purpose: 'invitation' | 'reset'
      email: string
      name: string | null
      merchant_name: string | null
    }> &
      With<{ token: string }>
  }
  '/links/accept': { post: Answer<SignedIn> & With<{ token: string; name?: string; password: string }> }
  '/account': { patch: Answer<object> & With<{ name?: string; locale?: 'en' | 'ar' | null }> }
}
