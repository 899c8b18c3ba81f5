import { lazy, Suspense } from 'react'
import { useLostSession } from '../app/lost-session.ts'

const SignInCover = lazy(() => import('./sign-in-cover.tsx').then((module) => ({ default: module.SignInCover })))

/** Asks for a sign-in over the page when the session has ended. The form is loaded then. */
export function LostSession() {
  if (!useLostSession()) return null
  return (
    <Suspense fallback={null}>
      <SignInCover />
    </Suspense>
  )
}
