import { useTexts } from '../../texts/texts.tsx'
import { explainedError } from './error-texts.ts'

/** Why an attempt failed, in the language of the reader where we know the code. */
export function AttemptError({ error, code: given }: { error: string; code: string | null }) {
  const { t } = useTexts()
  const explained = explainedError(given)
  if (explained === undefined) return <bdi>{error}</bdi>
  const { text, code } = explained
  return (
    <span>
      {t(text)} {code === undefined ? null : <code dir="ltr">{code}</code>}
    </span>
  )
}
