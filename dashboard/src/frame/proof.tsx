import { Suspense } from 'react'
import { later } from '../app/later.ts'
import { useAsked } from '../app/proof.ts'

const ProofDialog = later(() => import('./proof-dialog.tsx'), 'ProofDialog', { forForms: true })

/** Asks the reader to prove who they are, when an act waits for it. The dialog is loaded then. */
export function Proof() {
  const asked = useAsked()
  if (asked === undefined) return null
  return (
    <Suspense fallback={null}>
      <ProofDialog asked={asked} />
    </Suspense>
  )
}
