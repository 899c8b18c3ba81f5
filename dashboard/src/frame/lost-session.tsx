import { Suspense } from 'react'
import { later } from '../app/later.ts'
import { useLostSession } from '../app/lost-session.ts'

const SignInCover = later(() => import('./sign-in-cover.tsx'), 'SignInCover', { forForms: true })

/** Asks for a sign-in over the page when the session has ended. The form is loaded then. */
export function LostSession() {
  if (!useLostSession()) return null
  return (
    <Suspense fallback={null}>
      <SignInCover />
    </Suspense>
  )
}
